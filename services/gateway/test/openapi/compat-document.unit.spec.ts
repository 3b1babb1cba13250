import { describe, expect, it } from 'vitest';
import { extended, legacy } from '../../src/apis/compat/policy.js';
import { endpointOf } from '../../src/apis/compat/registry/registry.js';
import { operationNames, type OperationName } from '../../src/apis/compat/registry/names.js';
import { compatGoldens } from '../calls/compat/endpoint.cases.js';
import { goldenTexts } from '../goldens/golden.js';
import { documentPath } from './committed.js';
import { compatAnswerSchema, compatDocument } from './compat/compat-document.js';
import { documentText } from './document.js';
import { documentFaults, SchemaCheck } from './schema-check.js';

const operations = new Map(compatGoldens.documents.map(({ name, operation }) => [name, operation]));
const isOperation = (name: string | undefined): name is OperationName => (operationNames as readonly (string | undefined)[]).includes(name);

const answersOf = (form: string) =>
  goldenTexts('compat', 'json', form).flatMap(({ name, text }) => {
    const operation = operations.get(name);
    return isOperation(operation) ? [{ name, operation, answer: JSON.parse(text) as { 'subsonic-response': { status: string } } }] : [];
  });

const shown = answersOf('opensubsonic');
const examples = (operation: string): unknown =>
  shown.find((one) => one.operation === operation && one.answer['subsonic-response'].status === 'ok')?.answer;

it('the committed document is that of the registry', async () => {
  await expect(documentText(compatDocument(examples))).toMatchFileSnapshot(documentPath('compat'));
});

it('the document is valid', async () => {
  expect(await documentFaults(compatDocument(examples))).toEqual([]);
});

describe.each([
  ['opensubsonic', extended],
  ['subsonic', legacy],
])('schemas of the form %s', (form, policy) => {
  // Without a login nothing tells which form the client needs.
  const formOf = (operation: OperationName) => (endpointOf(operation).kind === 'public' ? extended : policy);

  const checks = new Map(
    [extended, legacy].map((one) => [one, new SchemaCheck(`compat-${form}-${one.name}`, compatDocument(examples, one).components)]),
  );
  it.each(answersOf(form))('describe the answer of $name', ({ operation, answer }) => {
    const own = formOf(operation);
    expect(checks.get(own)?.violations(operation, () => compatAnswerSchema(own, operation), answer)).toEqual([]);
  });
});
