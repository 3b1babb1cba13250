import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linkFaults, settingFaults } from './src/doc-rules.mjs';
import { importFaults } from './src/import-rules.mjs';
import { enumFaults } from './src/language-rules.mjs';
import { packagesOf, sourceFiles } from './src/packages.mjs';

/** House rules that the linter cannot express. Prints each fault as `file:line: text` and ends with 1 when there is one. */
const root = join(fileURLToPath(import.meta.url), '..', '..', '..');
const packages = packagesOf(root);
const faults = [];
for (const { folder } of packages) {
  for (const path of sourceFiles(join(root, folder, 'src'))) {
    const file = { path: relative(root, path).split(sep).join('/'), text: readFileSync(path, 'utf8') };
    faults.push(...importFaults(file, packages), ...enumFaults(file));
  }
}

const textOf = (path) => readFileSync(join(root, path), 'utf8');
/** Files below a folder of the repository whose names end so, without what is installed or built. */
const filesOf = (folder, end) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', 'dist'].includes(entry.name)) return [];
    if (entry.isDirectory()) return filesOf(`${folder}/${entry.name}`, end);
    return entry.name.endsWith(end) ? [`${folder}/${entry.name}`] : [];
  });
const world = { exists: (path) => existsSync(join(root, path)), read: textOf };
/** Where a setting that a page names may come from: the tables, what compose hands on, and the programs beside the services. */
const SETTINGS = ['docs/operate/configuration.md', 'deploy/.env.example', 'tools/checks/test-meili.mjs', ...filesOf('deploy', '.yaml')];
/** Names in capitals that are no settings: a tag of files. */
const NO_SETTINGS = ['FMPS_RATING'];
const known = new Set([...SETTINGS.flatMap((path) => textOf(path).match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? []), ...NO_SETTINGS]);
const FOLDERS = ['docs', 'services', 'tools', 'contracts', 'deploy', 'helm'];
for (const path of ['README.md', ...FOLDERS.flatMap((folder) => filesOf(folder, '.md'))]) {
  const page = { path, text: textOf(path) };
  faults.push(...linkFaults(page, world));
  if (path === 'README.md' || path.startsWith('docs/operate/')) faults.push(...settingFaults(page, known));
}
for (const { path, line, text } of faults) process.stdout.write(`${path}:${line}: ${text}\n`);
if (faults.length > 0) process.exitCode = 1;
