import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** All workspace packages as `{ name, folder, entries }`: folder relative to the root, entries as they are imported. */
export function packagesOf(root) {
  const below = (parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`);
  return ['contracts', ...below('services'), ...below('tools')]
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => {
      const { name, exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      return { name, folder, entries: Object.keys(exports ?? {}).map((key) => name + key.slice(1)) };
    });
}

/** TypeScript files below a folder, at any depth. */
export function sourceFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}
