// Finds out which cluster to talk to, as kubectl does: a named file, else the files of KUBECONFIG, else the one in the
// home directory, else the cluster this pod runs in. The environment is given, never read.

import path from 'node:path';
import { err, ok, type Problem, type Result } from '../base/result.ts';
import type { ClusterConnection } from './cluster-connection.ts';
import type { Environment, Files } from './host-ports.ts';
import { inClusterConnection } from './in-cluster.ts';
import { connectionOf } from './kubeconfig-context.ts';
import { mergeKubeconfigs, type ParsedFile, parseKubeconfig } from './kubeconfig-file.ts';
import { parseYaml } from './yaml.ts';

export type ConnectionRequest = {
  readonly environment: Environment;
  readonly files: Files;
  /** The one file to read; it must exist. */
  readonly kubeconfig?: string;
  /** In place of the current context. */
  readonly context?: string;
};

export async function readConnection(
  request: ConnectionRequest,
): Promise<Result<ClusterConnection, readonly Problem[]>> {
  const problems: Problem[] = [];
  const source = sourceOf(request);
  const parsed = await readFiles(source, request.files, problems);
  if (problems.length > 0) return err(problems);
  if (parsed.length === 0) return connectFromWithin(source, request);
  const config = mergeKubeconfigs(parsed.map((file) => parseKubeconfig(file, problems)));
  const connection = connectionOf(config, request.context || config.currentContext, problems);
  return connection !== null && problems.length === 0 ? ok(connection) : err(problems);
}

type Source = {
  readonly files: readonly string[];
  /** Who named the files, for the message when there is none; null when it was only worth a try. */
  readonly namedBy: string | null;
  readonly isRequired: boolean;
};

function sourceOf({ kubeconfig, environment }: ConnectionRequest): Source {
  if (kubeconfig) return { files: [kubeconfig], namedBy: 'kubeconfig', isRequired: true };
  const listed = (environment['KUBECONFIG'] ?? '').split(path.delimiter).filter((file) => file !== '');
  if (listed.length > 0) return { files: [...new Set(listed)], namedBy: 'KUBECONFIG', isRequired: false };
  const home = environment['HOME'];
  return { files: home ? [path.join(home, '.kube', 'config')] : [], namedBy: null, isRequired: false };
}

async function readFiles(source: Source, files: Files, problems: Problem[]): Promise<readonly ParsedFile[]> {
  const parsed: ParsedFile[] = [];
  for (const file of source.files) {
    const content = await files.read(file);
    if (content.kind === 'error') {
      const isSkipped = content.error.kind === 'missing' && !source.isRequired;
      if (!isSkipped) problems.push({ path: file, message: content.error.message });
      continue;
    }
    const document = await parseYaml(content.value);
    if (document.kind === 'ok') parsed.push({ file, content: document.value });
    else problems.push({ path: file, message: `is not YAML: ${document.error}` });
  }
  return parsed;
}

/** No file was found. To fall back silently from files that somebody named would reach the wrong cluster. */
async function connectFromWithin(
  { files, namedBy }: Source,
  request: ConnectionRequest,
): Promise<Result<ClusterConnection, readonly Problem[]>> {
  if (namedBy !== null) {
    return err([{ path: namedBy, message: `none of these files exists: ${files.join(', ')}` }]);
  }
  const connection = await inClusterConnection(request.environment, request.files);
  if (connection !== null) return ok(connection);
  const message = 'no cluster is configured: name a kubeconfig file, set KUBECONFIG, or run in a pod';
  return err([{ path: '', message }]);
}
