// Loads the operator once more with one module changed. Every module of the operator is loaded anew for each mutant, so that none
// of them shares anything with the others; the simulator around it is the same.

import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type * as Operator from '../operator.ts';
import type { Mutant } from './mutant.ts';

const root = new URL('../../../', import.meta.url).href;

export async function loadMutant(mutant: Mutant): Promise<typeof Operator> {
  const query = `?mutant=${mutant.name}`;
  const target = new URL(mutant.file, root).href + query;
  let isApplied = false;
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const isInside =
        context.parentURL?.endsWith(query) &&
        resolved.url.startsWith(root) &&
        !resolved.url.includes('/node_modules/');
      return isInside ? { ...resolved, url: resolved.url + query } : resolved;
    },
    load(url, context, next) {
      if (url !== target) return next(url, context);
      isApplied = true;
      return { format: 'module-typescript', source: mutated(mutant), shortCircuit: true };
    },
  });
  try {
    const module = (await import(`../operator.ts${query}`)) as typeof Operator;
    if (!isApplied) throw new Error(`${mutant.name}: ${mutant.file} is not part of the operator`);
    return module;
  } finally {
    hooks.deregister();
  }
}

function mutated({ name, file, replace, by }: Mutant): string {
  const source = readFileSync(fileURLToPath(new URL(file, root)), 'utf8');
  const count = source.split(replace).length - 1;
  if (count !== 1) throw new Error(`${name}: the piece to replace is ${count} times in ${file}, not once`);
  return source.replace(replace, () => by);
}
