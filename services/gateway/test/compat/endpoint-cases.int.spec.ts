import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CompatSchemas } from '../api-facts/compat-schemas.js';
import type { CallResult } from '../servers/compat-server.js';
import { WholeCompatWorld } from '../servers/compat-whole-world.js';
import type { Case, EndpointCases } from '../calls/compat/case.js';
import { endpointCases } from '../calls/compat/endpoint.cases.js';
import type { CompatErrorCode } from '../../src/apis/compat/errors.js';
import { extended, legacy, type CompatPolicy } from '../../src/apis/compat/policy.js';
import { operationNames, type OperationName } from '../../src/apis/compat/registry/names.js';
import { registry } from '../../src/apis/compat/registry/registry.js';

let world: WholeCompatWorld;
const schemas = new CompatSchemas();

beforeAll(async () => {
  world = await WholeCompatWorld.start();
});
afterAll(() => world.stop());

type Kind = keyof EndpointCases;
const kinds: readonly Kind[] = ['success', 'empty', 'badParameter', 'notFound', 'notAllowed'];
const usual: Readonly<Record<Kind, CompatErrorCode | 'ok'>> = {
  success: 'ok',
  empty: 'ok',
  badParameter: 10,
  notFound: 70,
  notAllowed: 50,
};
const forms = [
  { policy: extended, client: 'test' },
  { policy: legacy, client: 'DSub' },
] as const;

/** Payloads that are younger than the legacy schema, so that no answer with them can be valid. */
const YOUNGER: readonly OperationName[] = [
  'getOpenSubsonicExtensions',
  'getLyricsBySongId',
  'tokenInfo',
  'getPodcastEpisode',
  'getPlayQueueByIndex',
  'getPlayQueue',
  'getSonicSimilarTracks',
  'findSonicPath',
];

/** Outcome in a form: the legacy one lacks newer operations and error codes. */
const outcome = (operation: OperationName, wanted: CompatErrorCode | 'ok', policy: CompatPolicy): CompatErrorCode | 'ok' => {
  const row = registry[operation];
  if (policy.name === 'legacy' && 'open' in row && row.open) return 0;
  return wanted === 'ok' ? 'ok' : policy.errorCode(wanted);
};

const isEnvelope = ({ type }: CallResult): boolean => /^(?:text\/xml|application\/json)/.test(type);

/** Every list inside a value. */
const listsIn = (value: unknown): unknown[][] => {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(listsIn);
  return Array.isArray(value) ? [value, ...inner] : inner;
};

const envelopeOf = (body: string): { status: string; error?: { code: CompatErrorCode; message: string } } =>
  (JSON.parse(body) as { 'subsonic-response': { status: string } })['subsonic-response'];

/** The lists of an answer that hold things. */
const fullListsIn = (body: string): unknown[][] =>
  listsIn(envelopeOf(body)).filter((list) => list.some((item) => typeof item === 'object'));

const answersBytes = (operation: OperationName): boolean => registry[operation].kind === 'binary';

/** Legacy JSON with the fields that the extended envelope adds, as the published document asks for. */
const completed = (body: string): string =>
  JSON.stringify({ 'subsonic-response': { type: 'x', serverVersion: 'x', openSubsonic: true, ...envelopeOf(body) } });

const jsonFaults = (operation: OperationName, policy: CompatPolicy, body: string): string[] => {
  if (policy.name === 'extended') return schemas.jsonFaults(operation, body);
  // What plays is a number there, and an empty queue is no more than an envelope.
  if (['getPlayQueue', 'getPlayQueueByIndex'].includes(operation)) return [];
  return schemas.jsonFaults(operation, completed(body));
};

const xmlFaults = (operation: OperationName, { policy, client }: (typeof forms)[number], body: string): string[] => {
  const isValidable =
    client === 'DSub' && registry[operation].kind !== 'public' && !(YOUNGER.includes(operation) && body.includes('status="ok"'));
  // Who is not known is answered in the extended form.
  const isLegacy = policy.name === 'legacy' && !body.includes('openSubsonic=');
  return isValidable && isLegacy ? schemas.legacyXmlFaults(body) : schemas.xmlFaults(body);
};

interface Asked {
  readonly operation: OperationName;
  readonly kind: Kind;
  readonly one: Case;
  readonly form: (typeof forms)[number];
}

/** Faults of a media answer. */
const bytesFaults = (answer: CallResult): string[] =>
  answer.status === 200 && !isEnvelope(answer) ? [] : [`${answer.status} ${answer.body.slice(0, 300)}`];

const documentFaults = ({ operation, kind, form }: Asked, wanted: CompatErrorCode | 'ok', answer: CallResult): string[] => {
  const { status, error } = envelopeOf(answer.body);
  const row = registry[operation];
  const isStatusRight = answer.status === 200 || (row.kind === 'binary' && row.tellsStatus === true && answer.status < 500);
  const isOutcomeRight = (error?.code ?? 'ok') === wanted && status === (wanted === 'ok' ? 'ok' : 'failed');
  return [
    ...(isStatusRight ? [] : [`status ${answer.status}`]),
    ...(isOutcomeRight ? [] : [`${status} ${error?.code} ${error?.message} instead of ${wanted}`]),
    ...(kind === 'empty' ? fullListsIn(answer.body).map((list) => `not empty: ${JSON.stringify(list).slice(0, 200)}`) : []),
    ...jsonFaults(operation, form.policy, answer.body),
  ];
};

/** Faults of the answers to a call in one form, in both formats. */
const faultsOf = async (asked: Asked): Promise<string[]> => {
  const { operation, kind, one, form } = asked;
  const server = one.nothingThere ? world.empty : world.full;
  const wanted = outcome(operation, one.code ?? usual[kind], form.policy);
  const call = (f: string): Promise<CallResult> => server.call(operation, { f, c: form.client, ...one.params }, one.as, one.body);
  const json = await call('json');
  if (wanted === 'ok' && answersBytes(operation)) return bytesFaults(json);
  const xml = await call('xml');
  return [...documentFaults(asked, wanted, json), ...xmlFaults(operation, form, xml.body)];
};

describe.each(operationNames.map((operation) => ({ operation })))('$operation', ({ operation }) => {
  const cases = kinds.flatMap((kind) => {
    const listed = endpointCases[operation][kind];
    if (typeof listed === 'string') return [];
    return listed.map((one: Case) => ({ kind, one, said: JSON.stringify({ ...one, params: one.params ?? {} }).slice(0, 90) }));
  });

  it.each(cases)('$kind $said', async ({ kind, one }) => {
    for (const form of forms) expect([form.policy.name, await faultsOf({ operation, kind, one, form })]).toEqual([form.policy.name, []]);
  });

  it('is refused to wrong credentials', async () => {
    const { body, status } = await world.full.call(operation, { f: 'json', p: 'wrong' });
    const isPublic = registry[operation].kind === 'public';
    expect([status, envelopeOf(body).error?.code]).toEqual([operation === 'getTranscodeStream' ? 401 : 200, isPublic ? undefined : 40]);
  });
});
