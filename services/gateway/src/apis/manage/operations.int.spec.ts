import type { KeyScope } from '@continuo/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleOf, filledPath, isStrict, otherThan } from '../../../test/manage/example-input.js';
import type { Received, Sent } from '../../../test/manage/manage-client.js';
import { BACKUP, startManagedGateway } from '../../../test/manage/managed-gateway.js';
import type { OperatedGateway } from '../../../test/manage/operated-gateway.js';
import { fixedAuth, TEST_NOW_MS, testAccounts } from '../../../test/servers/test-gateway.js';
import { inMemoryIdempotency } from '../../../test/fakes/in-memory-stores.js';
import type { IdempotencyStore } from './idempotency/idempotency.js';
import type { OperationRow } from './operation.js';
import { problemSchema } from './problems.js';
import { operations } from './registry/index.js';
import { z } from 'zod';

/* Rules for every operation, derived from its row. */

const scoped = (token: string, scopes: readonly KeyScope[]) => ({ id: 1, username: 'admin', access: 100, token, scopes }) as const;
const manager = { id: 3, username: 'manager', access: 75, token: 'manager-token' } as const;
/** Nothing of what the operations name is theirs but the account. */
const root = { id: 2, username: 'root', access: 100, token: 'root-token' } as const;
const guest = { id: 4, username: 'guest', access: 5, token: 'guest-token' } as const;

/** Answers are kept once this is fulfilled. */
let kept: Promise<void> = Promise.resolve();
/** Keys whose requests are done and wait for {@link kept}. */
const done = new Set<string>();
const store = inMemoryIdempotency(() => TEST_NOW_MS);
const idempotency: IdempotencyStore = {
  claim: async (key, fingerprint) => {
    const claim = await store.claim(key, fingerprint);
    if (claim.kind !== 'new') return claim;
    const finish: typeof claim.finish = async (answer) => {
      done.add(key);
      await kept;
      await claim.finish(answer);
    };
    return { ...claim, finish };
  },
};

let server: OperatedGateway;
let client: OperatedGateway['call'];
beforeAll(async () => {
  const keys = [scoped('listen', ['listen']), scoped('reader', ['manage:read'])];
  const auth = fixedAuth([...Object.values(testAccounts), manager, guest, root, ...keys]);
  server = await startManagedGateway({ auth, idempotency });
  client = server.call;
});
afterAll(() => server.stop());

type Row = OperationRow<never>;
const rows = Object.entries(operations).map(([name, row]) => ({ name, row: row as Row }));
const readingOf = ({ path }: Row): Row | undefined => rows.find(({ row }) => row.method === 'GET' && row.path === path)?.row;
const call = (row: Row, sent: Sent = {}, more = '') =>
  client(row.method, `${filledPath(row)}${more}`, row.body && sent.body === undefined ? { ...sent, body: {} } : sent);

/** Bodies that schemas do not tell enough of. */
const BODIES: Readonly<Record<string, object>> = {
  subscribePodcast: { catalogId: 1, feedUrl: 'https://feeds.example/new' },
  importPlaylist: { fileName: 'a.m3u', content: 'YQ==' },
  createSmartlist: { name: 'New', rules: [{ name: 'title', operator: 'contain', input: 'a' }] },
  startBackupVerification: { backupId: BACKUP },
  createWebhook: { url: 'https://example.org/hook', events: ['*'] },
  // The first one is read and dropped.
  retryDeadLetters: { ids: [2] },
  // Nobody here takes plays again.
  retryRefusedPlays: { ids: [99] },
  startTranscodeBatch: { kind: 'song', id: 1, profile: { format: 'opus' } },
};
const bodyOf = (name: string, row: Row): object | undefined => (row.body ? (BODIES[name] ?? (exampleOf(row.body) as object)) : undefined);

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

/** Checks an answer against the schema of its row, which takes no field that it does not name. */
const expectAnswer = (row: Row, { status, body }: Pick<Received, 'status' | 'body'>): void => {
  if (row.bytes) return expect([status, Buffer.isBuffer(body)]).toEqual([row.status, true]);
  const schema = row.answer && z.toJSONSchema(row.answer, { io: 'output' });
  const isValid = schema === undefined ? body === undefined : ajv.validate(schema, body);
  expect([status, isValid, isValid ? [] : ajv.errors, isValid ? undefined : body]).toEqual([row.status, true, [], undefined]);
};

interface Page {
  readonly items: readonly Readonly<Record<string, string | number>>[];
}

/** Path of a row that names the first thing of the list above it. */
const addressOf = async (row: Row): Promise<string> => {
  const [above = ''] = row.path.split('/{');
  const list = rows.find(({ row: other }) => other.method === 'GET' && other.path === above)?.row;
  if (above === row.path || !list) return filledPath(row);
  const { body } = await client('GET', above, { token: root.token });
  return filledPath(row, (body as Page).items[0]);
};

const example = async (name: string, row: Row, headers: Readonly<Record<string, string>> = {}, body = bodyOf(name, row)) =>
  client(row.method, await addressOf(row), { headers, token: root.token, body });

describe.each(rows.filter(({ row }) => row.method === 'GET'))('$name', ({ name, row }) => {
  it('answers by its schema', async () => {
    const answer = await example(name, row);
    expectAnswer(row, answer);
    // Nothing tells the schema of the items of an empty list.
    expect(row.tagged || row.bytes !== undefined || (answer.body as Page).items.length > 0).toBe(true);
  });

  it.runIf(row.tagged)('answers nothing new to who knows its tag', async () => {
    const { headers } = await example(name, row);
    expect(await example(name, row, { 'if-none-match': String(headers['etag']) })).toMatchObject({ status: 304, body: undefined });
  });
});

describe.each(rows.filter(({ row }) => row.method === 'POST'))('$name', ({ name, row }) => {
  it('answers by its schema, and a repetition with the same key the same', async () => {
    const headers = { 'idempotency-key': name };
    const first = await example(name, row, headers);
    expectAnswer(row, first);
    expect(first.headers['location'] === undefined).toBe(row.locate === undefined);
    const { status, body, headers: again } = await example(name, row, headers);
    expect([status, body, again['location']]).toEqual([first.status, first.body, first.headers['location']]);
    expect([first.headers['idempotency-replayed'], again['idempotency-replayed']]).toEqual([undefined, 'true']);
  });

  it('refuses another request under the key', async () => {
    const key = { 'idempotency-key': `other-${name}` };
    const other = { body: { name: 'Other', path: '/other' }, headers: key, token: root.token };
    expect((await client('POST', '/catalogs', other)).status).toBe(201);
    expect(await example(name, row, key)).toMatchObject({ status: 422, body: { status: 422 } });
  });

  it.runIf(row.body)('refuses another body under the key', async () => {
    const other = otherThan(row.body as z.ZodType, bodyOf(name, row) as Record<string, unknown>);
    expect(other).toBeDefined();
    expect(await example(name, row, { 'idempotency-key': name }, other)).toMatchObject({ status: 422, body: { status: 422 } });
  });

  it('is answered as busy while the request with the key runs', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = done.size;
    kept = promise;
    const headers = { 'idempotency-key': `busy-${name}` };
    const first = example(name, row, headers);
    try {
      await expect.poll(() => done.size).toBe(before + 1);
      expect(await example(name, row, headers)).toMatchObject({ status: 409, headers: { 'retry-after': '1' }, body: { status: 409 } });
    } finally {
      resolve();
    }
    expect((await first).status).toBe(row.status);
  });
});

/** Deleting operations come last: the others use the same objects. */
const changing = ['PUT', 'PATCH', 'DELETE'].flatMap((method) => rows.filter(({ row }) => row.method === method));

describe.each(changing)('$name', ({ name, row }) => {
  it('is refused under a condition that does not hold', async () => {
    for (const stale of ['"stale"', 'W/"stale"'])
      expect(await example(name, row, { 'if-match': stale })).toMatchObject({ status: 412, body: { status: 412 } });
  });

  it('answers by its schema under the tag of what it changes', async () => {
    const reading = readingOf(row);
    const { headers } = await client('GET', await addressOf(row), { token: root.token });
    expect([reading?.tagged, headers['etag']]).toEqual([true, expect.any(String)]);
    expectAnswer(row, await example(name, row, { 'if-match': String(headers['etag']) }));
  });
});

describe.each(rows)('$name', ({ row }) => {
  it('refuses callers without login, level or scope', async () => {
    const refused = async (token: string) => {
      const { status, body, headers } = await call(row, { token });
      expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
      expect(problemSchema.strict().parse(body).status).toBe(status);
      return status;
    };
    expect([await refused(''), await refused('wrong'), await refused('listen')]).toEqual([401, 401, 403]);
    const lower = [manager, guest].filter(({ access }) => access < row.level).map(({ token }) => token);
    for (const token of [...lower, ...(row.access === 'write' ? ['reader'] : [])]) expect(await refused(token)).toBe(403);
  });

  it('refuses unknown parameters and fields by name', async () => {
    const refusal = (where: string) => ({
      status: 400,
      body: { errors: expect.arrayContaining([expect.objectContaining({ in: where, pointer: '/aFieldThatIsNotThere' })]) },
    });
    expect(await call(row, {}, '?aFieldThatIsNotThere=1')).toMatchObject(refusal('query'));
    expect(isStrict(row.query) && isStrict(row.params)).toBe(true);
    expect(row.body === undefined || isStrict(row.body)).toBe(true);
  });

  it.runIf(row.body)('refuses unknown fields of the body by name', async () => {
    const pointer = expect.objectContaining({ in: 'body', pointer: '/aFieldThatIsNotThere' });
    const { status, body } = await call(row, { body: { aFieldThatIsNotThere: 1 } });
    expect([status, body]).toEqual([400, expect.objectContaining({ errors: expect.arrayContaining([pointer]) })]);
  });

  it.runIf(row.method !== 'GET')('refuses bodies that are not JSON', async () => {
    const { token } = testAccounts.admin;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' };
    const { statusCode } = await server.gateway.app.inject({
      method: row.method,
      url: `/manage/v1${filledPath(row)}`,
      headers,
      payload: 'x',
    });
    expect(statusCode).toBe(415);
  });

  it('has a path of its family and says what it answers', () => {
    expect(row.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(row.summary.length).toBeLessThan(100);
    const named = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set(Object.keys(row.params.shape)));
    expect(row.status === 201).toBe(row.status === 201 && row.locate !== undefined);
  });
});

it('have an address of their own each', () => {
  const addresses = rows.map(({ row }) => `${row.method} ${row.path.replaceAll(/\{\w+\}/g, '{}')}`);
  expect(new Set(addresses).size).toBe(addresses.length);
});
