import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** All workspace packages as `{ name, folder, entries, sources }`: folder relative to the root, entries as they are imported, and their source files. */
export function packagesOf(root) {
  const below = (parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`);
  return ['contracts', ...below('contracts'), ...below('services'), ...below('tools')]
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => {
      const { name, exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      const entries = Object.entries(exports ?? {}).map(([key, file]) => [
        name + key.slice(1),
        posix.join(folder, file['continuo-source'] ?? file),
      ]);
      return { name, folder, entries: entries.map(([entry]) => entry), sources: new Map(entries) };
    });
}

/** TypeScript files below a folder, at any depth, without what is built. */
export function sourceFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'dist' ? [] : sourceFiles(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}
