import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addElement, addValue, emptyShape, jsonShape, shapeDifferences, type Shape } from '../../native/replay/shape.js';
import { xmlElement, xmlShape } from '../../native/replay/xml-shape.js';
import { WholeCompatWorld } from '../../servers/compat-whole-world.js';
import { hasSpecification } from '../../api-facts/specification.js';
import type { Case } from '../../calls/compat/case.js';
import { compatGoldens, endpointCases } from '../../calls/compat/endpoint.cases.js';
import { deviations, recordedCalls } from './deviations.js';
import { recordedAnswers, type RecordedAnswer } from './recorded-answers.js';

let world: WholeCompatWorld;
beforeAll(async () => {
  if (hasSpecification) world = await WholeCompatWorld.start();
});
afterAll(async () => {
  if (hasSpecification) await world.stop();
});

/** The calls whose answers together show what a recording shows: those of its name, or all that succeed. */
const callsOf = ({ name, operation }: RecordedAnswer): readonly (readonly [operation: string, one: Case])[] => {
  const known = Object.values(compatGoldens).flat();
  const named =
    recordedCalls[name] ??
    known.flatMap((one): [string, Case][] => (one.name === name && name.includes('-') ? [[one.operation, one.one]] : []))[0];
  if (named) return [named];
  if (!operation) throw new Error(`nothing calls ${name}`);
  const { success, notFound } = endpointCases[operation];
  const asked = typeof success === 'string' ? notFound : success;
  return typeof asked === 'string' ? [[operation, {}]] : asked.map((one: Case) => [operation, one]);
};

/** Merged shape of all our answers. */
const ourShape = async (recorded: RecordedAnswer): Promise<Shape> => {
  const shape = emptyShape();
  for (const [operation, { params, as, body }] of callsOf(recorded)) {
    const client = recorded.form === 'subsonic' ? 'DSub' : 'test';
    const answer = await world.full.call(operation, { f: recorded.format, c: client, ...params }, as, body);
    if (recorded.format === 'json') addValue(shape, JSON.parse(answer.body));
    else addElement(shape, xmlElement(answer.body));
  }
  return shape;
};

const keyOf = ({ form, format, name }: RecordedAnswer): string => `${form}/${format} ${name}`;

/** True for a relevant difference: extra fields are checked by the schemas, and the order of keys is free. */
const tells = (difference: string): boolean => !/: extra$| before /.test(difference);

const answers = recordedAnswers();
const seen = new Set<unknown>();

it.skipIf(hasSpecification)('is NOT replayed: the recorded answers (../shared/spec) are not here', () => undefined);

describe.skipIf(!hasSpecification)('recorded answers', () => {
  it('are those of nearly all operations', () => {
    expect(answers.length).toBeGreaterThan(300);
  });

  it.each(answers.map((recorded) => ({ key: keyOf(recorded), recorded })))('$key', async ({ key, recorded }) => {
    const theirs = recorded.format === 'json' ? jsonShape(recorded.text) : xmlShape(recorded.text);
    const unknown = shapeDifferences(theirs, await ourShape(recorded))
      .filter(tells)
      .filter((difference) => {
        const known = deviations.filter((one) => one.example.test(key) && one.difference.test(difference));
        for (const one of known) seen.add(one);
        return known.length === 0;
      });
    expect(unknown).toEqual([]);
  });

  it('show every deviation that the table lists', () => {
    expect(deviations.filter((one) => !seen.has(one)).map((one) => `${one.example} ${one.difference}`)).toEqual([]);
  });
});
