import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CompatSchemas } from '../api-facts/compat-schemas.js';
import { WholeCompatWorld } from '../servers/compat-whole-world.js';
import { idPrefixes } from '../../src/apis/compat/ids.js';
import { listTypes } from '../../src/apis/compat/registry/library/lists.endpoints.js';
import { operationNames, operationOf, type OperationName } from '../../src/apis/compat/registry/names.js';
import { registry } from '../../src/apis/compat/registry/registry.js';

let world: WholeCompatWorld;
const schemas = new CompatSchemas();

beforeAll(async () => {
  world = await WholeCompatWorld.start();
});
afterAll(() => world.stop());

const ids = [...Object.values(idPrefixes).map((prefix) => `${prefix}-1`), '1', '2', 'so-999', 'pl-pl-1', '0.0.0.1', '300000001'];
const numbers = [
  ...'0 1 -1 +1 007 1e3 1E+3 -0 0x10 1.5 .5 NaN Infinity -Infinity 9007199254740993 2147483648 -2147483649'.split(' '),
  ...'99999999999999999999999 ١ 1,5 1_000'.split(' '),
  ' 5 ',
];
const words = [...listTypes, ...'true FALSE get set skip song playing Folk ada admin listener harbour "" raw mp3 vtt srt'.split(' ')];
const evil = [
  ...`
    %00 a%00b %ff %c3%28 %ed%a0%80 %F0%9F%98 %E2%80%AE %25 %zz %0d%0aX-Evil:%201 '%3B-- %22%27%3C%3E%26 %5D%5D%3E
    ..%2F..%2Fetc%2Fpasswd %5C _ * %F0%9F%8E%BB %01%02%0b undefined null [] %7B%7D __proto__ constructor - so- so--1 -1-so
    (((((((( %2B%2B $%7B1%7D
  `
    .trim()
    .split(/\s+/),
  '',
  ' ',
  '9'.repeat(400),
  'x'.repeat(3000),
  '%20'.repeat(300),
  'so-'.repeat(200),
];
/** A value as it stands in a query, percent-encoded or wrongly so. */
const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ids) },
  { weight: 3, arbitrary: fc.constantFrom(...numbers).map(encodeURIComponent) },
  { weight: 3, arbitrary: fc.constantFrom(...words).map(encodeURIComponent) },
  { weight: 3, arbitrary: fc.constantFrom(...evil) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }).map((text) => encodeURIComponent(text.toWellFormed())) },
);

const spelled = (name: string) => fc.constantFrom(name, `${name}.view`, name.toUpperCase(), `${name.toLowerCase()}.VIEW`);

const strange = ['x', 'id[]', 'id.x', '__proto__', 'constructor', 'toString', '', 'ID'];
const format = fc.constantFrom(
  'json',
  'json',
  'xml',
  'jsonp&callback=cb',
  'jsonp',
  'JSON',
  'yaml',
  '',
  'json&f=xml',
  'jsonp&callback=alert(1)',
);

interface HostileCall {
  readonly operation: OperationName;
  readonly path: string;
  readonly query: string;
  readonly how: 'query' | 'form' | 'both' | 'json';
}

const callOf = (operation: OperationName): fc.Arbitrary<HostileCall> => {
  const names = [...Object.keys(registry[operation].fields), ...strange];
  const pair = fc.tuple(
    fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...Object.keys(registry[operation].fields), 'id') }, fc.constantFrom(...names)),
    value,
  );
  const credentials = fc.constantFrom('ada', 'ada', 'bob', 'gus').map((name) => `u=${name}&p=secret&v=1.16.1`);
  const client = fc.constantFrom('test', 'test', 'DSub');
  return fc
    .record({
      path: spelled(operation),
      credentials,
      client,
      format,
      pairs: fc.array(pair, { maxLength: 6 }),
      how: fc.constantFrom<HostileCall['how'][]>('query', 'query', 'form', 'both', 'json'),
    })
    .map(({ path, credentials: who, client: c, format: f, pairs, how }) => ({
      operation,
      path,
      how,
      query: [who, `c=${c}`, `f=${f}`, ...pairs.map(([name, text]) => `${encodeURIComponent(name)}=${text}`)].join('&'),
    }));
};

const send = async ({ path, query, how }: HostileCall) => {
  const url = `/rest/${path}`;
  if (how === 'query') return world.full.app.inject({ url: `${url}?${query}` });
  if (how === 'json')
    return world.full.app.inject({ method: 'POST', url: `${url}?${query}`, payload: { name: 'x', directPlayProfiles: [] } });
  return world.full.app.inject({
    method: 'POST',
    url: how === 'both' ? `${url}?id=so-2&${query}` : url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: query,
  });
};

type Answer = Awaited<ReturnType<typeof send>>;

/** Numbers that the extended schema has otherwise (conformance.int.spec.ts). */
const OTHERWISE: readonly OperationName[] = ['getPlayQueue', 'getPlayQueueByIndex'];

const jsonFaults = (operation: OperationName, text: string): string[] => {
  const { 'subsonic-response': answer } = JSON.parse(text) as { 'subsonic-response': Record<string, unknown> };
  if (answer['openSubsonic'] === undefined && OTHERWISE.includes(operation)) return [];
  const whole = { type: 'x', serverVersion: 'x', openSubsonic: true, ...answer };
  return schemas.jsonFaults(operation, JSON.stringify({ 'subsonic-response': whole }));
};

/** Payloads that the legacy schema does not have. */
const YOUNGER: readonly OperationName[] = ['getLyricsBySongId', 'tokenInfo', 'getPlayQueueByIndex', 'getPlayQueue', 'getPodcastEpisode'];

const xmlFaults = (operation: OperationName, text: string): string[] => {
  const isLegacy = !text.includes('openSubsonic=') && !(YOUNGER.includes(operation) && text.includes('status="ok"'));
  return isLegacy ? schemas.legacyXmlFaults(text) : schemas.xmlFaults(text);
};

const JSONP = /^cb\((.*)\);$/s;
const faultsOf = (operation: OperationName, { headers, body }: Answer): string[] => {
  const type = String(headers['content-type']);
  if (type.startsWith('application/json')) return jsonFaults(operation, body);
  if (type.startsWith('text/xml')) return xmlFaults(operation, body);
  if (!type.startsWith('text/javascript')) return registry[operation].kind === 'binary' ? [] : [`bytes of ${type}`];
  const [, text] = JSONP.exec(body) ?? [];
  return text === undefined ? ['calls something else'] : jsonFaults(operation, text);
};

/** Calls of each operation: some thousands together. */
const RUNS = 60;

/** Statuses of what answers bytes; documents have one alone. */
const BYTES = [200, 206, 304, 400, 401, 404, 416];
/** Operations that redirect to the publisher of an episode; no other operation redirects. */
const SENDING_ON: readonly OperationName[] = ['stream', 'download'];
/** Of the publisher in the fixtures. */
const PUBLISHED = /^https?:\/\/[a-z.]+\.example\//;

describe('whatever is asked', () => {
  it.each(operationNames.map((operation) => ({ operation })))('of $operation is answered in the envelope', async ({ operation }) => {
    const statuses = registry[operation].kind === 'binary' ? BYTES : [200];
    await fc.assert(
      fc.asyncProperty(callOf(operation), async (call) => {
        const answer = await send(call);
        const isSentOn = SENDING_ON.includes(operation) && PUBLISHED.test(String(answer.headers.location));
        expect(isSentOn ? [302] : statuses).toContain(answer.statusCode);
        expect(answer.body).not.toContain('unexpected failure');
        expect(faultsOf(operation, answer)).toEqual([]);
        expect(answer.headers['x-evil']).toBeUndefined();
      }),
      { numRuns: RUNS },
    );
  });

  it('of a search has an offset that the schema knows', async () => {
    const query = 'u=ada&p=secret&v=1.16.1&c=DSub&f=xml&offset=2147483648';
    const { body } = await send({ operation: 'search', path: 'search', how: 'query', query });
    expect(xmlFaults('search', body)).toEqual([]);
  });

  it('of what does not exist is too', async () => {
    const name = fc.constantFrom(
      'getEverything',
      '__proto__',
      'constructor',
      'ping.view.view',
      '.view',
      '%00',
      '%ff',
      'ping%2Fx',
      'x'.repeat(2000),
    );
    await fc.assert(
      fc.asyncProperty(name, async (path) => {
        expect(operationOf(path)).toBeUndefined();
        const { statusCode, body } = await world.full.app.inject({ url: `/rest/${path}?f=json` });
        // No operation at all, and no address at all.
        if (statusCode === 404 || statusCode === 400) return;
        expect([statusCode, (JSON.parse(body) as { 'subsonic-response': { status: string } })['subsonic-response'].status]).toEqual([
          200,
          'failed',
        ]);
      }),
    );
  });
});
