// Where this package lies, be it source, checkout or installed bundle.

import { readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** The folder with package.json above the running script. */
export function packageRoot(script: string = process.argv[1] ?? ''): string {
  for (let folder = path.dirname(realpathSync(script)); ; folder = path.dirname(folder)) {
    if (readdirSync(folder).includes('package.json')) return folder;
    if (folder === path.dirname(folder)) throw new Error(`config/ was not found beside ${script}`);
  }
}
