import { describe, expect, it } from 'vitest';
import { jsonOfProtobuf } from './protobuf.ts';

const field = (number: number, content: string | Buffer) => {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
};
const number = (at: number, value: number) => Buffer.from([at << 3, value]);
const body = (apiVersion: string, kind: string, ...parts: readonly Buffer[]) =>
  Buffer.concat([
    Buffer.from('k8s\0'),
    field(1, Buffer.concat([field(1, apiVersion), field(2, kind)])),
    field(2, Buffer.concat(parts)),
  ]);
const read = (bytes: Buffer) => JSON.parse(jsonOfProtobuf(bytes) ?? 'null');
const entry = (key: string, value: string) => Buffer.concat([field(1, key), field(2, value)]);

describe('a body in protobuf', () => {
  it('becomes the object that it means', () => {
    const metadata = field(
      1,
      Buffer.concat([field(1, 'c'), field(11, entry('app', 'x')), field(14, 'a/b'), field(14, 'c/d')]),
    );
    const made = body(
      'v1',
      'ConfigMap',
      metadata,
      field(2, entry('a', '1')),
      field(2, entry('b', '2')),
      number(4, 1),
    );
    expect(read(made)).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'c', labels: { app: 'x' }, finalizers: ['a/b', 'c/d'] },
      data: { a: '1', b: '2' },
      immutable: true,
    });
  });

  it('carries the options of a deletion', () => {
    const options = Buffer.concat([number(1, 5), field(2, field(1, 'uid')), field(4, 'Background')]);
    expect(read(body('policy/v1', 'Eviction', field(1, field(1, 'p')), field(2, options)))).toMatchObject({
      metadata: { name: 'p' },
      deleteOptions: {
        gracePeriodSeconds: 5,
        preconditions: { uid: 'uid' },
        propagationPolicy: 'Background',
      },
    });
  });

  it('passes over fields that it does not know', () => {
    expect(
      read(body('v1', 'Namespace', field(1, field(1, 'n')), field(9, 'strange'), number(15, 1))),
    ).toMatchObject({
      metadata: { name: 'n' },
    });
  });

  it.each([
    ['of a kind that is not known', body('apps/v1', 'Deployment')],
    ['without its mark', Buffer.from('{"kind":"Node"}')],
    ['that ends too early', body('v1', 'Namespace', Buffer.from([0x0a, 0x7f, 0x01]))],
    ['of nothing', Buffer.alloc(0)],
  ])('%s is not read', (_sentence, bytes) => {
    expect(jsonOfProtobuf(bytes)).toBeNull();
  });
});
