import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { asyncDocument } from './async-document.js';
import { documentPath } from './committed.js';
import { documentText } from './document.js';

const schema = JSON.parse(readFileSync(new URL(import.meta.resolve('@asyncapi/specs/schemas/3.0.0-without-$id.json')), 'utf8')) as object;

it('the committed document of events is that of their types', async () => {
  await expect(documentText(asyncDocument())).toMatchFileSnapshot(documentPath('asyncapi'));
});

it('the document of events is valid AsyncAPI 3', () => {
  const validate = new Ajv({ strict: false, validateFormats: false, logger: false }).compile(schema);
  validate(asyncDocument());
  expect(validate.errors ?? []).toEqual([]);
});
