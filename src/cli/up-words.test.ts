import { describe, expect, it } from 'vitest';
import { endSentence, nextSteps, readySentence, shownPath } from './up-words.ts';

const start = {
  kubeconfig: '/home/me/muster/.muster/kubeconfig',
  logFile: '/home/me/muster/.muster/operator.log',
  workingFolder: '/home/me/muster',
  url: 'http://127.0.0.1:6780',
  nodes: ['general-01', 'gpu-04'] as const,
};

describe('what to try next', () => {
  it('names commands that can be copied, in lines that fit a terminal', () => {
    const lines = nextSteps(start);
    expect(lines).toContain('  export KUBECONFIG="$PWD/.muster/kubeconfig"');
    expect(lines).toContain('  kubectl cordon general-01 && kubectl get nl general-01 --watch');
    for (const line of lines) expect(line.length).toBeLessThan(80);
  });

  it('names the whole path to somebody who stands elsewhere', () => {
    expect(nextSteps({ ...start, workingFolder: '/tmp' })).toContain(
      '  export KUBECONFIG="/home/me/muster/.muster/kubeconfig"',
    );
    expect(shownPath('/a/b', '/a')).toBe('b');
    expect(shownPath('/a/b', '/c')).toBe('/a/b');
  });

  it('names no node where there is none', () => {
    expect(nextSteps({ ...start, nodes: null }).join('\n')).not.toContain('cordon');
  });
});

describe('sentences', () => {
  it('say how long it took', () => {
    expect(readySentence({ nodes: 24, pools: 3, failed: 0 }, 4049)).toBe(
      '24 nodes in 3 pools are in service after 4.0 s',
    );
    expect(readySentence({ nodes: 24, pools: 3, failed: 1 }, 4049)).toBe(
      '23 of 24 nodes in 3 pools are in service after 4.0 s',
    );
    expect(endSentence(61_000)).toMatch(/^stopped after 1m 01s: /);
  });
});
