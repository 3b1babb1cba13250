import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiFacts, factsText } from './src/api-facts.mjs';

/** Writes contracts/api from the specification beside the repository (`../shared/spec`), for those who have it. */
const root = join(fileURLToPath(import.meta.url), '..', '..', '..');
const specification = join(root, '..', 'shared', 'spec');
if (!existsSync(specification)) throw new Error(`${specification} is not there`);
const folder = join(root, 'contracts', 'api');
mkdirSync(folder, { recursive: true });
for (const [name, rows] of Object.entries(apiFacts((path) => readFileSync(join(specification, path), 'utf8'))))
  writeFileSync(join(folder, `${name}.json`), factsText(rows));
