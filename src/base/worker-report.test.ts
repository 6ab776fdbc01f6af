import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CheckResult,
  formatReport,
  parseReport,
  reportBytesMax,
  reportLimits,
  type WorkerReport,
} from './worker-report.ts';

const passed: CheckResult = {
  id: 'dns',
  severity: 'required',
  verdict: 'pass',
  code: '',
  message: '1 names resolved',
  ms: 12,
  tries: 1,
};

function report(overrides: Partial<WorkerReport> = {}): WorkerReport {
  return {
    nodeName: 'worker-1',
    nodeUID: '5f0c9c1e-7d7b-4a59-9f0e-1f2d3c4b5a69',
    nonce: 'n0nce',
    verdict: 'pass',
    isComplete: true,
    isForAnnotation: false,
    checks: [passed],
    problems: [],
    ...overrides,
  };
}

const widest = (index: number, verdict: CheckResult['verdict']): CheckResult => ({
  id: `${index}`.padStart(reportLimits.idLength, 'x'),
  severity: 'advisory',
  verdict,
  code: 'C'.repeat(reportLimits.codeLength),
  message: 'the name does not exist "quoted" \u0007 日本語 '.repeat(20),
  ms: 300_000,
  tries: 10,
});

describe('a report', () => {
  it('is read back as it was written', () => {
    const failed: CheckResult = { ...passed, id: 'api', verdict: 'fail', code: 'Timeout', tries: 3 };
    const advisory: CheckResult = { ...passed, id: 'mtu', severity: 'advisory' };
    const written = report({ verdict: 'fail', checks: [failed, passed, advisory], isForAnnotation: true });
    expect(parseReport(formatReport(written))).toEqual({ kind: 'ok', value: written });
  });

  it.each(['pass', 'fail', 'inconclusive'] as const)(
    'names 50 checks that %s, at their widest, within a termination message',
    (verdict) => {
      const checks = Array.from({ length: reportLimits.checks }, (_, index) => widest(index, verdict));
      const text = formatReport(
        report({
          nodeName: 'n'.repeat(253),
          nodeUID: 'u'.repeat(reportLimits.uidLength),
          nonce: 'o'.repeat(reportLimits.nonceLength),
          verdict,
          isComplete: false,
          isForAnnotation: true,
          checks,
        }),
      );
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(reportBytesMax);
      const read = parseReport(text);
      const found = read.kind === 'ok' ? read.value.checks : [];
      expect(found.map(({ id, code }) => id + code)).toEqual(checks.map(({ id, code }) => id + code));
    },
  );

  it('keeps whole sentences while there is room', () => {
    const message = 'kubernetes.default.svc.cluster.local. at 10.96.0.10:53: the name does not exist';
    const checks = Array.from({ length: 10 }, (_, index) => ({ ...widest(index, 'fail'), message }));
    expect(formatReport(report({ checks }))).toContain(message);
  });

  it('carries no control characters from the network', () => {
    const text = formatReport(report({ checks: [{ ...passed, message: 'a\u001b[31mred\u2028\r\nline' }] }));
    expect(text).toContain('a [31mred   line');
  });

  it('says what is wrong with a configuration, and drops the words rather than the limit', () => {
    const few = parseReport(formatReport(report({ checks: [], problems: ['NODE_NAME: is required'] })));
    expect(few).toMatchObject({ value: { problems: ['NODE_NAME: is required'] } });
    const many = formatReport(report({ problems: Array.from({ length: 900 }, () => 'x: is wrong') }));
    expect(Buffer.byteLength(many)).toBeLessThanOrEqual(reportBytesMax);
    expect(parseReport(many).kind).toBe('ok');
  });

  it('never exceeds the limit, whatever the words', () => {
    const words = fc.string({ unit: 'binary', maxLength: 400 });
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 50 }), (messages) => {
        const checks = messages.map((message, index) => ({ ...widest(index, 'fail'), message }));
        const text = formatReport(report({ verdict: 'fail', checks }));
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(reportBytesMax);
        expect(parseReport(text)).toMatchObject({ kind: 'ok' });
      }),
      { numRuns: 50 },
    );
  });
});

describe('a text that is no report', () => {
  const good = JSON.parse(formatReport(report())) as Record<string, unknown>;

  it.each([
    ['nothing', '', 'is empty'],
    ['words', 'Error: cannot find module', 'is not a JSON object'],
    ['a list', '[]', 'is not a JSON object'],
    ['another version', JSON.stringify({ ...good, version: 2 }), 'has version 2, not 1'],
    ['no verdict', JSON.stringify({ ...good, verdict: 'fine' }), 'has no verdict'],
    ['no node', JSON.stringify({ ...good, uid: 7 }), 'does not say which node it is about'],
    [
      'a word for a check',
      JSON.stringify({ ...good, pass: { dns: 'ok' } }),
      'says nothing about the check dns',
    ],
    ['one check twice', JSON.stringify({ ...good, fail: { dns: {} } }), 'has two verdicts on one check'],
    ['a word for a group', JSON.stringify({ ...good, fail: 'dns' }), 'holds no map of checks under fail'],
    ['a number for a code', JSON.stringify({ ...good, fail: { dns: { code: 1 } } }), 'garbles the check dns'],
    [
      'a word for a time',
      JSON.stringify({ ...good, pass: { dns: { ms: 'long' } } }),
      'garbles the times of dns',
    ],
    ['too much', ' '.repeat(reportBytesMax + 1), 'is longer than a termination message may be'],
  ])('is refused: %s', (_sentence, text, error) => {
    expect(parseReport(text)).toEqual({ kind: 'error', error });
  });
});
