import { describe, expect, it } from 'vitest';
import { documentText } from './document.js';
import { actionDescriptions } from './native/action-descriptions.js';
import { nativeAnswerSchema, nativeDocument } from './native/native-document.js';
import type { ActionName } from '../../src/apis/native/registry/index.js';
import { actionNamed, methods } from '../../src/apis/native/registry/index.js';
import { nativeMethods } from '../api-facts/api-facts.js';
import { listenerCases, unauthenticatedCases } from '../calls/native/caller.cases.js';
import { cases } from '../calls/native/cases.js';
import { goldenTexts } from '../goldens/golden.js';
import { documentPath } from './committed.js';
import { documentFaults, SchemaCheck } from './schema-check.js';

const calls: Readonly<Record<string, string>> = { ...cases, ...unauthenticatedCases, ...listenerCases };
const templates = nativeMethods.flatMap(({ paths = [] }) => paths);

const actionOf = (name: string): ActionName | undefined => actionNamed(new URLSearchParams(calls[name]).get('action') ?? '');

/** JSON of the usual answer. */
const contentOf = (responses: unknown): { readonly schema?: object; readonly example?: unknown } =>
  (responses as Record<string, { content: Record<string, { schema: object; example?: unknown }> }>)['200']?.content['application/json'] ??
  {};

describe.each([8, 6] as const)('the document of version %d', (version) => {
  const answers = goldenTexts('native', 'json', String(version)).flatMap(({ name, text }) => {
    const action = actionOf(name);
    return action === undefined ? [] : [{ name, action, answer: JSON.parse(text) as object }];
  });
  const fits = (name: string, action: ActionName, fixed: Readonly<Record<string, string>>): boolean => {
    const sent = new URLSearchParams(calls[name]);
    const read = [...methods[action].parameters, ...Object.keys(actionDescriptions[action].more ?? {})];
    return Object.entries(fixed).every(([parameter, value]) => !read.includes(parameter) || sent.get(parameter) === value);
  };
  const shown = answers.filter(({ action, answer }) => !('error' in answer) && methods[action].versions.includes(version));
  const examples = (action: string, fixed: Readonly<Record<string, string>> = {}): unknown =>
    shown.find((one) => one.action === action && fits(one.name, one.action, fixed))?.answer;

  const document = nativeDocument(version, templates, examples);
  const check = new SchemaCheck(`native-${version}`, document.components);

  it('is the committed one', async () => {
    await expect(documentText(document)).toMatchFileSnapshot(documentPath(`native-${version}`));
  });

  it('is valid', async () => {
    expect(await documentFaults(document)).toEqual([]);
  });

  it('shows examples that fit their schemas', () => {
    const { paths } = document;
    const contents = Object.values(paths).flatMap((verbs) =>
      Object.values(verbs).map(({ operationId, responses }) => ({ operationId, ...contentOf(responses) })),
    );
    const exampled = contents.filter(({ example }) => example !== undefined);
    const faults = exampled.flatMap(({ operationId, schema = {}, example }) =>
      check.violations(String(operationId), () => schema, example),
    );
    expect(faults).toEqual([]);
    expect(exampled.length).toBeGreaterThan(80);
    // Each schema is compiled for it.
  }, 60_000);

  it.each(answers)('describes the answer of $name', ({ action, answer }) => {
    expect(check.violations(`answer of ${action}`, () => nativeAnswerSchema(version, action), answer)).toEqual([]);
  });
});
