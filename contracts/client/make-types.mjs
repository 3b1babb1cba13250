// Makes src/*.types.ts from the OpenAPI documents that the client has types of, each only when its document or this generator is another than the last time.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const generator = readFileSync(import.meta.filename);

for (const name of ['manage', 'native-8']) {
  const document = readFileSync(new URL(import.meta.resolve(`@continuo/openapi/${name}.json`)));
  const path = join(import.meta.dirname, 'src', `${name}.types.ts`);
  const heading = `// Made from contracts/openapi/${name}.json (${createHash('sha256').update(generator).update(document).digest('hex')}).\n`;
  if (existsSync(path) && readFileSync(path, 'utf8').startsWith(heading)) continue;
  // It loads a compiler, which most builds need not wait for.
  const { astToString, default: openapiTS } = await import('openapi-typescript');
  const types = await openapiTS(JSON.parse(document), { alphabetize: true, defaultNonNullable: false });
  writeFileSync(path, `${heading}\n${astToString(types)}`);
}
