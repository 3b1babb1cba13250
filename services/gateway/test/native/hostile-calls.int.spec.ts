import { someOf } from '@continuo/local-servers/test-form';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { create } from 'xmlbuilder2';
import { testReadModel, type TestReadModel } from '../servers/read-model-database.js';
import { startTestGateway, testAccounts, type TestGateway } from '../servers/test-gateway.js';
import { nativeTable } from '../../src/tables.js';
import { answeringCommands } from './replay/replay-commands.js';
import { seedReplayLibrary } from './replay/replay-library.js';
import { clientVersions } from '../calls/native/client-versions.js';

let model: TestReadModel;
let gateway: TestGateway;

beforeAll(async () => {
  model = await testReadModel();
  await seedReplayLibrary(model.write);
  gateway = await startTestGateway(model.read, {
    commands: answeringCommands(),
    settings: { DELETE_FROM_DISK: true },
  });
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
});

/** Parameters of search rules, which no row names. */
const RULE = ['operator', 'type', 'limit', 'offset', 'random', 'rule_1', 'rule_1_operator', 'rule_1_input', 'rule_1_subtype'];

/** Parameters that get a very long value: all of them together would be too much for a body, and refused as that. */
const LONG = new Set(['filter', 'cond', 'sort', 'date', 'rule_1_input', 'song']);

/** Values that no parameter expects. */
const HOSTILE: Readonly<Record<string, unknown>> = {
  nothing: '',
  zero: '0',
  negative: '-1',
  huge: '99999999999999999999999',
  'a quote': `' or '1'='1' --`,
  'a wild card': '%_\\',
  'a broken expression': '((((a+)+$|[',
  'markup and a picture': '<![CDATA[]]>&amp;"\u202e🎵',
  'half a character': '\ud800',
  'a control character': '\u0001\u000b\uffff',
  'a NUL': 'a\0b',
  pairs: 'a,b;c,d;title,%;;,;id',
  'a hundred kilobytes': 'x'.repeat(100_000),
  'a list': ['1', "'", null],
  'an object': { a: 1 },
  'a number': 1.5e300,
  nothingness: null,
};

const versions = Object.values(clientVersions);
/** Every action meets every value, each time in another version, so that all are met in all. */
const meetings = nativeTable.flatMap(({ name: action, parameters, binary }, place) =>
  Object.entries(HOSTILE).map(([what, value], index) => ({
    action,
    parameters: [...parameters, ...RULE],
    binary,
    what,
    value,
    version: versions[(place + index) % versions.length] as string,
  })),
);

interface Sent {
  readonly action: string;
  readonly version: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const post = (format: 'json' | 'xml', { action, version, params }: Sent) =>
  gateway.app.inject({
    method: 'POST',
    url: `/server/${format}.server.php`,
    headers: { authorization: `Bearer ${testAccounts.admin.token}`, 'content-type': 'application/json' },
    payload: JSON.stringify({ ...params, action, version }),
  });

/** Outcome of a call: a readable document without an internal error, or bytes with their status. */
const faultsOf = async (sent: Sent, binary: boolean): Promise<string[]> => {
  const [json, xml] = [await post('json', sent), await post('xml', sent)];
  if (binary) return [json, xml].filter(({ statusCode }) => ![200, 206, 400, 404, 416].includes(statusCode)).map(({ body }) => body);
  const faults = [json, xml]
    .filter(({ statusCode, body }) => statusCode !== 200 || body.includes('unexpected failure'))
    .map(({ body }) => body.slice(0, 500));
  JSON.parse(json.body);
  create(xml.body);
  return faults;
};

describe('hostile values', () => {
  it.each(someOf(meetings, Math.ceil(meetings.length / 3)))(
    '$action survives $what',
    async ({ action, parameters, binary, value, version }) => {
      const isLong = typeof value === 'string' && value.length > 1000;
      const all = Object.fromEntries(parameters.filter((name) => !isLong || LONG.has(name)).map((name) => [name, value]));
      expect(await faultsOf({ action, version, params: all }, binary)).toEqual([]);
      // With what the method asks for first, so that the others are looked at, too.
      const usable = { ...all, filter: '1', id: '1', type: 'song', catalog: '1', song: 'Night, part 1', limit: '2' };
      expect(await faultsOf({ action, version, params: usable }, binary)).toEqual([]);
    },
  );
});
