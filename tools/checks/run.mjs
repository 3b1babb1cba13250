import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
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
for (const { path, line, text } of faults) process.stdout.write(`${path}:${line}: ${text}\n`);
if (faults.length > 0) process.exitCode = 1;
