import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exampleOf } from './src/examples.mjs';

/**
 * Writes examples of every type of event in its newest version into `contracts/golden/events`, where there are none yet: one with every field, one with those that must be there. A file
 * that a release holds is never written again; a spec reads all of them with every later build.
 */
const root = resolve(import.meta.dirname, '../..');
const { publishedEvents } = await import(pathToFileURL(join(root, 'services/chassis/dist/index.js')).href);
const { z } = createRequire(join(root, 'contracts/package.json'))('zod');

const folder = join(root, 'contracts/golden/events');
mkdirSync(folder, { recursive: true });
for (const { type, v, schema } of publishedEvents()) {
  const file = join(folder, `${type}.${v}.json`);
  if (existsSync(file)) continue;
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const examples = [true, false].map((isFull) => exampleOf(described, isFull));
  for (const example of examples) schema.parse(example);
  writeFileSync(file, `${JSON.stringify({ type, v, examples }, undefined, 2)}\n`);
  process.stdout.write(`${type}.${v}.json\n`);
}
