// The alerts name only metrics that are there: an expression over one that is misspelt never fires, and nobody notices.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadAll } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { parseDuration } from '../src/base/duration.ts';
import { fieldsOf, recordsIn, textOf } from '../src/objects/raw.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const [rules] = loadAll(read('config/alerts/rules.yaml'));
const [object] = loadAll(read('config/alerts/prometheus-rule.yaml'));
const alerts = recordsIn(fieldsOf(rules)['groups']).flatMap(({ rules: each }) => recordsIn(each));

/** A metric of Prometheus itself. */
const foreign: readonly string[] = ['up'];
const words: readonly string[] = ['and', 'or', 'unless', 'on', 'max', 'min', 'sum', 'vector', 'absent'];

const listed = [...read('docs/reference/operator.md').matchAll(/^\| `(\w+)` +\|/gm)].map(
  ([, name = '']) => name,
);

/** The names in an expression that are neither words of the language nor inside braces or quotes. */
function metricsIn(expression: string): readonly string[] {
  const bare = expression.replaceAll(/\{[^}]*\}/g, '').replaceAll(/"[^"]*"/g, '');
  return (bare.match(/[a-zA-Z_]\w*/g) ?? []).filter((word) => !words.includes(word));
}

describe('the alerts', () => {
  it('are the same as a file and as an object', () => {
    expect(fieldsOf(object)).toMatchObject({
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PrometheusRule',
    });
    expect(fieldsOf(object)['spec']).toEqual(rules);
  });

  it('cover an operator that is gone and a verification that is stuck', () => {
    expect(alerts.map(({ alert }) => alert)).toEqual([
      'MusterOperatorUnavailable',
      'MusterReplicaDown',
      'MusterHeapNearlyFull',
      'MusterVerificationStalled',
      'MusterVerificationStuck',
      'MusterVerificationFailed',
    ]);
  });

  it.each(alerts.map((alert) => [textOf(alert['alert']), alert] as const))('%s is whole', (name, alert) => {
    expect(alert).toEqual({
      alert: name,
      expr: expect.any(String),
      for: expect.any(String),
      labels: { severity: expect.stringMatching(/^(?:critical|warning)$/) },
      annotations: { summary: expect.any(String), description: expect.any(String) },
    });
    expect(parseDuration(textOf(alert['for']))).toBeGreaterThan(0);
    const expression = textOf(alert['expr']);
    expect(expression.split('(').length).toBe(expression.split(')').length);
    const metrics = metricsIn(expression);
    expect(metrics).not.toEqual([]);
    expect(metrics.filter((metric) => ![...listed, ...foreign].includes(metric))).toEqual([]);
  });

  it('would be found out over a metric that does not exist', () => {
    expect(metricsIn('max(muster_leeding{job="a_b"}) or vector(0)')).toEqual(['muster_leeding']);
    expect(listed).toContain('muster_leading');
    expect(listed).not.toContain('muster_leeding');
  });
});
