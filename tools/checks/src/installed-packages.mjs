import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const namesIn = (folder) =>
  readdirSync(folder).flatMap((name) => (name.startsWith('@') ? readdirSync(join(folder, name)).map((one) => `${name}/${one}`) : [name]));

/** Descriptions (`package.json`) of all packages that are installed, each once; `hasGyp` for those that would be compiled. */
export function installedPackages(root) {
  const store = join(root, 'node_modules', '.pnpm');
  if (!existsSync(store)) return [];
  return readdirSync(store).flatMap((entry) => {
    const folder = join(store, entry, 'node_modules');
    if (!existsSync(folder)) return [];
    return namesIn(folder).flatMap((name) => {
      const file = join(folder, name, 'package.json');
      if (lstatSync(join(folder, name)).isSymbolicLink() || !existsSync(file)) return [];
      return [{ ...JSON.parse(readFileSync(file, 'utf8')), hasGyp: existsSync(join(folder, name, 'binding.gyp')) }];
    });
  });
}
