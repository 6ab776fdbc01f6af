// What a container of a pod comes down to as a process: arguments and environment, or why it cannot be run here. Pure.

import { err, ok, type Result } from '../base/result.ts';
import { fieldsOf, type RawObject, recordsIn, textOf, viewOf } from '../objects/raw.ts';
import { nodeAddress, podAddress } from './node-shape.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What to run for an image: the program and its first arguments; null for an image that cannot be run here. */
export type ResolveImage = (
  image: string,
) => { readonly argv: readonly string[]; readonly names: readonly string[] } | null;

export type ContainerCommand = {
  readonly name: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

/** Whether every container of the pod can be run here. */
export function runnableImages(pod: RawObject, resolve: ResolveImage): boolean {
  const { containers: own, initContainers } = fieldsOf(pod.spec);
  const containers = [...recordsIn(initContainers), ...recordsIn(own)];
  return containers.length > 0 && containers.every((container) => programOf(container, resolve) !== null);
}

export function containerCommand(
  pod: RawObject,
  container: Fields,
  resolve: ResolveImage,
): Result<ContainerCommand, string> {
  const program = programOf(container, resolve);
  if (program === null) return err(`the image ${textOf(container['image'])} cannot be run here`);
  const env = envOf(pod, container);
  if (env.kind === 'error') return env;
  const expand = (text: string) => expanded(text, env.value);
  return ok({
    name: textOf(container['name']),
    argv: [...program, ...texts(container['args']).map(expand)],
    env: env.value,
  });
}

/** `command` replaces the entry point of an image; ours may be called by its own name. */
function programOf(container: Fields, resolve: ResolveImage): readonly string[] | null {
  const found = resolve(textOf(container['image']));
  if (found === null) return null;
  const [first, ...rest] = texts(container['command']);
  if (first === undefined) return found.argv;
  return found.names.includes(first) ? [...found.argv, ...rest] : null;
}

function envOf(pod: RawObject, container: Fields): Result<Readonly<Record<string, string>>, string> {
  const env: Record<string, string> = {};
  if (recordsIn(container['envFrom']).length > 0) return err('envFrom cannot be resolved here');
  for (const { name, value, valueFrom } of recordsIn(container['env'])) {
    const path = textOf(fieldsOf(fieldsOf(valueFrom)['fieldRef'])['fieldPath']);
    if (valueFrom !== undefined && path === '') return err(`env ${textOf(name)} cannot be resolved here`);
    env[textOf(name)] = path === '' ? expanded(textOf(value), env) : podField(pod, path);
  }
  return ok(env);
}

function podField(pod: RawObject, path: string): string {
  const { name, namespace, uid } = viewOf(pod);
  const spec = fieldsOf(pod.spec);
  const node = textOf(spec['nodeName']);
  const keyed = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path);
  if (keyed?.[1] === 'labels') return pod.metadata?.labels?.[keyed[2] ?? ''] ?? '';
  if (keyed?.[1] === 'annotations') return pod.metadata?.annotations?.[keyed[2] ?? ''] ?? '';
  const fields: Readonly<Record<string, string>> = {
    'metadata.name': name,
    'metadata.namespace': namespace,
    'metadata.uid': uid,
    'spec.nodeName': node,
    'spec.serviceAccountName': textOf(spec['serviceAccountName']),
    'status.hostIP': nodeAddress(node),
    'status.podIP': podAddress(uid),
  };
  return fields[path] ?? '';
}

/** `$(NAME)` becomes the variable where there is one; `$$(NAME)` stays a text. */
function expanded(text: string, env: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\$|\$\(([^)]+)\)/g, (whole, name: string | undefined) =>
    whole === '$$' ? '$' : (env[name ?? ''] ?? whole),
  );
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
