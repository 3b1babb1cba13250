import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testReadModel, type TestReadModel } from '../../servers/read-model-database.js';
import { hasSpecification } from '../../api-facts/specification.js';
import { everyPlugin } from '../../fakes/external-metadata-fixture.js';
import { fixedAuth, startTestGateway, testAccounts, type TestGateway } from '../../servers/test-gateway.js';
import type { ApiVersion, Format } from '../../../src/apis/native/versions/policy.js';
import { callOf, type ReplayCall } from './calls.js';
import { deviations, later, schemaGaps } from './deviations.js';
import { recordedExamples, type Example } from './examples.js';
import { answeringCommands } from './replay-commands.js';
import { seedReplayLibrary } from './replay-library.js';
import { AnswerSchemas, schemaFaults } from './schemas.js';
import { jsonShape, shapeDifferences } from './shape.js';
import { xmlShape } from './xml-shape.js';
import { clientVersions } from '../../calls/native/client-versions.js';

let model: TestReadModel;
let servers: Readonly<Record<NonNullable<ReplayCall['server']>, TestGateway>>;

const settings = { PUBLIC_URL: 'http://server.example', LOCALPLAY_CONTROLLER: 'mpd' } as const;
const failing = { ids: () => Promise.reject(new Error('the read model fails on purpose')) } as never;

beforeAll(async () => {
  if (!hasSpecification) return;
  model = await testReadModel();
  await seedReplayLibrary(model.write);
  const commands = answeringCommands();
  servers = {
    open: await startTestGateway(model.read, {
      settings: { ...settings, DELETE_FROM_DISK: true, ALLOW_PUBLIC_REGISTRATION: true },
      commands,
      plugins: everyPlugin,
    }),
    closed: await startTestGateway(model.read, { settings, auth: { ...fixedAuth(), accessControl: false } }),
    broken: await startTestGateway(model.read, { settings, lists: failing }),
  };
});
afterAll(async () => {
  if (!hasSpecification) return;
  await Promise.all(Object.values(servers).map((server) => server.stop()));
  await model.close();
});

const ask = async (version: ApiVersion, format: Format, { query, as, server = 'open' }: ReplayCall): Promise<string> => {
  const token = as === 'listener' ? testAccounts.listener.token : testAccounts.admin.token;
  const answer = await servers[server].app.inject({
    url: `/server/${format}.server.php?version=${clientVersions[version]}&${query}`,
    headers: as === 'nobody' ? {} : { authorization: `Bearer ${token}` },
  });
  return answer.body;
};

const keyOf = ({ version, format, name }: Example): string => `${version}/${format} ${name}`;
const shapeOf = (format: Format, text: string) => (format === 'json' ? jsonShape(text) : xmlShape(text));
/** Tags of the rich library that have no field of their own: their names are data, like those of the recorded library. */
const DATA = /\.(?:mastering|original_name|metadata): extra$/;
/** Lists without a wrapper: a recording whose only object has none of them cannot say that they do not exist. */
const REPEATED = /\.\w+\.(?:genre|tag|mood|artist|songartist|albumartist|merge): extra$/;

/** True for a difference that a recording can prove. An old one lacks fields of its own version. */
const tells = ({ old, format }: Example, difference: string): boolean =>
  !(old && difference.endsWith(': extra')) && !DATA.test(difference) && !(format === 'xml' && REPEATED.test(difference));

const examples = recordedExamples();
const seen = new Set<unknown>();
const seenGaps = new Set<unknown>();

it.skipIf(hasSpecification)('is NOT replayed: the recorded answers (../shared/spec) are not here', () => undefined);

describe.skipIf(!hasSpecification)('recorded answers', () => {
  it('are many', () => expect(examples.length).toBeGreaterThan(200));

  it.each(examples.map((example) => ({ key: keyOf(example), example })))('$key', async ({ key, example }) => {
    const call = callOf(example.version, example.name);
    const body = await ask(example.version, example.format, call);
    const feature = later.find((one) => one.example.test(key));
    if (feature) {
      seen.add(feature);
      if (!body.includes(feature.feature) || !/4703|not enabled/.test(body))
        throw new Error(`not 4703 of ${feature.feature} any more: ${body}`);
      return;
    }
    const differences = shapeDifferences(shapeOf(example.format, example.text), shapeOf(example.format, body)).filter((one) =>
      tells(example, one),
    );
    const unknown = differences.filter((difference) => {
      const known = deviations.filter((one) => one.example.test(key) && one.difference.test(difference));
      for (const one of known) seen.add(one);
      return known.length === 0;
    });
    if (unknown.length > 0) throw new Error(`unlisted differences:\n${unknown.join('\n')}`);
  });

  it('show every deviation that the table lists', () => {
    expect([...deviations, ...later].filter((one) => !seen.has(one)).map((one) => String(one.example))).toEqual([]);
  });
});

describe.skipIf(!hasSpecification)('published schemas', () => {
  const schemas = hasSpecification ? { 6: new AnswerSchemas(6), 8: new AnswerSchemas(8) } : undefined;
  const asked = examples
    .filter(({ version, format }) => format === 'json' && (version === 6 || version === 8))
    .filter((example) => !later.some((one) => one.example.test(keyOf(example))));

  it.each(asked.map((example) => ({ key: keyOf(example), example })))('$key', async ({ key, example }) => {
    const answer = JSON.parse(await ask(example.version, 'json', callOf(example.version, example.name))) as { error?: unknown };
    const of = schemas?.[example.version === 6 ? 6 : 8];
    const expected =
      'error' in answer ? [of?.error].flatMap((schema) => schema ?? []) : (of?.ofAction(example.action, example.operations) ?? []);
    const unknown = schemaFaults(expected, answer).filter((fault) => {
      const known = schemaGaps.filter((one) => one.example.test(key) && one.difference.test(fault));
      for (const one of known) seenGaps.add(one);
      return known.length === 0;
    });
    if (unknown.length > 0)
      throw new Error(`unlisted differences:\n${[...new Set(unknown.map((fault) => fault.replace(/\d+/g, 'n')))].join('\n')}`);
  });

  it('are missed in every way that the table lists', () => {
    expect(schemaGaps.filter((one) => !seenGaps.has(one)).map((one) => String(one.example))).toEqual([]);
  });
});
