import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allowedSecrets } from './src/allowed-secrets.mjs';
import { secretFaults } from './src/secret-rules.mjs';
import { pastFiles, trackedFiles } from './src/tracked-files.mjs';

/** Looks for secrets in what git keeps, or with `--history` in all that it ever kept. Ends with 1 when there are any. */
const root = join(fileURLToPath(import.meta.url), '..', '..', '..');
const files = process.argv.includes('--history') ? pastFiles(root) : trackedFiles(root);
if (!files) process.stdout.write('skipped: this is no clone, or there is no git\n');
let looked = 0;
for (const file of files ?? []) {
  looked += 1;
  for (const { path, line, text } of secretFaults(file, allowedSecrets)) {
    process.stdout.write(`${path}:${line}: ${text}${file.id ? ` (${file.id.slice(0, 12)})` : ''}\n`);
    process.exitCode = 1;
  }
}
process.stdout.write(`${looked} files were looked at\n`);
