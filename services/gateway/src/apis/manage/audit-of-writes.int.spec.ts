import { recordOperation } from '@continuo/contracts';
import { jetstream } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleOf, filledPath } from '../../../test/manage/example-input.js';
import { BACKUP, startManagedGateway } from '../../../test/manage/managed-gateway.js';
import type { OperatedGateway } from '../../../test/manage/operated-gateway.js';
import { fixedAuth, testAccounts } from '../../../test/servers/test-gateway.js';
import type { OperationRow } from './operation.js';
import { operations } from './registry/index.js';

/* Every writing operation leaves an entry in the audit trail: the events of its command, or one of its own. */

/** Commands that leave no event when all goes well; operations that send them put themselves on record. */
const WITHOUT_EVENTS: ReadonlySet<string> = new Set([
  'test-webhook',
  'sync-podcast',
  'refresh-podcasts',
  'retry-relay-now',
  'maintain-path',
]);

/** Operations that do nothing with the things of this spec, and why. */
const NOTHING_TO_DO: Readonly<Record<string, string>> = {
  importRatings: 'no file here has a rating in its tags; each one would be an event',
};

const root = { id: 2, username: 'root', access: 100, token: 'root-token' } as const;
let server: OperatedGateway;

beforeAll(async () => {
  const auth = fixedAuth([...Object.values(testAccounts), root]);
  server = await startManagedGateway({ auth, settings: { DELETE_FROM_DISK: true } }, true);
});
afterAll(() => server.stop());

interface Input {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly body?: object;
}
const renamed: Input = { body: { name: 'New' } };

/** Bodies that schemas cannot give as examples: names of existing objects, and changes. */
const INPUTS: Readonly<Record<string, Input>> = {
  changeAccount: { body: { fullName: 'New' } },
  changeOwnAccount: { body: { fullName: 'New' } },
  changeAccessRule: { body: { enabled: false } },
  changeCatalog: renamed,
  changeCatalogGroup: renamed,
  changeGenre: { body: { hidden: true } },
  changeKey: renamed,
  changeOwnKey: renamed,
  changePlaylist: renamed,
  changePodcast: { body: { title: 'New' } },
  subscribePodcast: { body: { catalogId: 1, feedUrl: 'https://feeds.example/new' } },
  createSmartlist: { body: { name: 'New', rules: [{ name: 'title', operator: 'contain', input: 'a' }] } },
  importPlaylist: { body: { fileName: 'new.m3u', content: Buffer.from('#EXTM3U\n').toString('base64'), name: 'Imported' } },
  createWebhook: { body: { url: 'https://example.org', events: ['*'] } },
  moveCatalogFiles: { body: { apply: true } },
  retryDeadLetters: { body: { ids: [2] } },
  retryRefusedPlays: { body: { ids: [99] } },
  startTranscodeBatch: { body: { kind: 'song', id: 1, profile: { format: 'opus' } } },
  rebuildSearchIndex: { params: { name: 'postgres' } },
  deleteBackup: { params: { id: BACKUP } },
  downloadBackup: { params: { id: BACKUP } },
  startBackupVerification: { body: { backupId: BACKUP } },
};

it('nothing is done that cannot be put on record', async () => {
  server.log.isAway = true;
  const statuses = await Promise.all([
    server.call('DELETE', '/dead-letters/1'),
    server.call('POST', '/search-indexes/postgres/rebuilds'),
    server.call('POST', '/backups', { body: {} }),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual([503, 503, 503]);
  server.log.isAway = false;
  expect((await server.call('GET', '/dead-letters/1')).status).toBe(200);
});

/** Deleting operations come last: the others use the same objects. */
const writes = Object.entries(operations)
  .filter(([name, { access }]) => access === 'write' && NOTHING_TO_DO[name] === undefined)
  .map(([name, row]) => ({ name, row: row as OperationRow<never> }))
  .toSorted((a, b) => Number(a.row.method === 'DELETE') - Number(b.row.method === 'DELETE'));

describe.each(writes)('$name', ({ name, row }) => {
  it('is on record with the account that did it', async () => {
    const { params, body } = INPUTS[name] ?? {};
    const input = row.body ? { body: body ?? (exampleOf(row.body) as object) } : {};
    const before = server.sent.length;
    const answer = await server.call(row.method, filledPath(row, params), { ...input, token: root.token });
    expect(answer).toMatchObject({ status: row.status });
    const sent = server.sent.slice(before).filter(({ actor }) => actor === `user:${root.id}`);
    const recorded = sent.filter(({ verb }) => verb === recordOperation.verb).map(({ data }) => data as { operation?: string });
    const told = sent.filter(({ verb }) => verb !== recordOperation.verb && !WITHOUT_EVENTS.has(verb));
    expect([...recorded, ...told]).not.toEqual([]);
    for (const { operation = name } of recorded) expect(operation).toBe(name);
  });
});

it.each([
  ['whose gateway has stopped', 'running', 'fail'],
  ['that ended while the log was away', 'done', 'finish'],
] as const)('work %s is put on record by whoever looks at it', async (_what, state, type) => {
  const open = { progress: null, endedAtMs: null, problem: null, result: [], options: {}, isEndRecorded: false };
  const times = { startedAtMs: 1, aliveAtMs: 1 };
  const context = { actor: 'user:7', correlationId: 'c', causationId: 'c' };
  const record = { kind: 'backup-verification', id: state, subject: 'b', state, context, ...open, ...times };
  await (await new Kvm(jetstream(server.nats)).open('manage_work')).put(`backup-verification.${state}`, JSON.stringify(record));
  const ends = () => server.sent.filter(({ data }) => (data as { workId?: string }).workId === state);
  expect(ends()).toEqual([]);
  expect((await server.call('GET', `/backup-verifications/${state}`)).status).toBe(200);
  await expect.poll(ends).toMatchObject([{ verb: recordOperation.verb, data: { type, kind: 'backup-verification' }, actor: 'user:7' }]);
});
