import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registry } from '../../src/apis/compat/registry/registry.js';
import type { EndpointRow } from '../../src/apis/compat/registry/endpoint.js';
import { rolesOf } from '../../src/apis/compat/roles.js';
import { preferenceSnapshot } from '../../src/preferences/preference-snapshot.js';
import type { MethodRow } from '../../src/apis/native/method.js';
import { methods } from '../../src/apis/native/registry/index.js';
import { goldenPath } from '../goldens/golden.js';
import { insertCollection } from '../library/collection-fixture.js';
import { insertBookmark } from '../library/places-fixture.js';
import { insertPlaylist } from '../library/playlist-fixture.js';
import { ShareWriter } from '../library/share-writer.js';
import { insertSmartlist } from '../library/smartlist-fixture.js';
import { testReadModel, type TestReadModel } from '../servers/read-model-database.js';
import { nativeMethods } from '../api-facts/api-facts.js';
import { FakeSounds } from '../fakes/fake-sounds.js';
import { startTestGateway, type TestGateway } from '../servers/test-gateway.js';
import { callerNames, callers, idOf, matrixAuth, type CallerName } from './callers.fixture.js';
import { matrixText, type MatrixRow } from './matrix-table.js';
import { idsFor, nativeParams, OTHERS_THING, ownThing } from './usable-calls.fixture.js';
import { notedCommands, seedCatalogs, writeMediaFiles } from './two-catalogs.fixture.js';
import { clientVersions } from '../calls/native/client-versions.js';

/*
 * Every method and operation called by everybody. What must come of a call follows from the rows of the tables; what does come of it is compared with that,
 * and kept as a table in `contracts/golden/access`, which was looked through by a person.
 */

let model: TestReadModel;
let gateway: TestGateway;
let root: string;
const native: MatrixRow[] = [];
const compat: MatrixRow[] = [];

type Params = Readonly<Record<string, string>>;

const call = async (name: CallerName, path: string, params: Params) => {
  const { key, address } = callers[name];
  return gateway.app.inject({
    url: `${path}?${new URLSearchParams(params).toString()}`,
    headers: { authorization: `Bearer ${key}` },
    remoteAddress: address,
  });
};

/** Returns the outcome of a call: `ok`, `empty`, or the number of the error. */
const nativeCell = async (action: string, row: MethodRow<never>, name: CallerName): Promise<string> => {
  const version = clientVersions[row.versions.at(-1) ?? 8];
  const params = { ...nativeParams(action, idsFor(name, action)), action, version };
  const { body, statusCode, headers } = await call(name, '/server/json.server.php', params);
  if (!String(headers['content-type']).includes('json')) return statusCode < 300 ? 'ok' : String(statusCode);
  // Versions 3 and 4 spell the number of an error otherwise.
  const refused = /^\{"error":\{"(?:errorCode|code)":"(?<code>\d+)"/.exec(body)?.groups?.['code'];
  if (refused !== undefined) return refused;
  return (JSON.parse(body) as { total_count?: number }).total_count === 0 ? 'empty' : 'ok';
};

const compatCell = async (operation: string, name: CallerName): Promise<string> => {
  const ids = idsFor(name, operation);
  const params = { v: '1.16.1', c: 'spec', f: 'json', ...ids.compat };
  const { body, statusCode, headers } = await call(name, `/rest/${operation}`, params);
  if (!String(headers['content-type']).includes('json')) return statusCode < 300 ? 'ok' : String(statusCode);
  const answer = (JSON.parse(body) as { 'subsonic-response': { error?: { code: number } } })['subsonic-response'];
  return answer.error ? String(answer.error.code) : 'ok';
};

const cellsOf = async (cell: (name: CallerName) => Promise<string>): Promise<Record<CallerName, string>> => {
  const cells: [CallerName, string][] = [];
  for (const name of callerNames) cells.push([name, await cell(name)]);
  return Object.fromEntries(cells) as Record<CallerName, string>;
};

/** Something of each kind that belongs to an account and that nobody else is shown. */
const seedThings = async (id: number, owner: number): Promise<void> => {
  await new ShareWriter(model.write).add({ id, kind: 'album', object_ids: [1], user_id: owner });
  await insertBookmark(model.write, { id, user_id: owner, object_id: 1 });
  const list = { id, owner_id: owner, name: `list ${id}`, is_public: false };
  await insertPlaylist(model.write, list, [1]);
  await insertSmartlist(model.write, list, [['title', 'contain', 'e', null]]);
  await insertCollection(model.write, { ...list, member_count: 1 });
  await model.write
    .insertInto('library.collection_member')
    .values({ collection_id: id, entry: 1, object_kind: 'song', object_id: 1 })
    .execute();
};

beforeAll(async () => {
  model = await testReadModel();
  root = await mkdtemp(join(tmpdir(), 'continuo-matrix-'));
  await writeMediaFiles(root);
  await seedCatalogs(model.write, true, root);
  for (const name of callerNames) await seedThings(ownThing(name), idOf(name));
  await seedThings(OTHERS_THING, 2);
  // What `playlist_create` and `collection_create` make here.
  await insertPlaylist(model.write, { id: 1, name: 'New', owner_id: 2, is_public: true }, [1]);
  await insertCollection(model.write, { id: 1, name: 'New', owner_id: 2, is_public: true });
  const folders = callerNames.map((name) => ({ user_id: idOf(name), id: 1, parent_id: 0, name: 'Mine', sort_order: 0 }));
  await model.write
    .insertInto('library.playlist_folder')
    .values([...new Map(folders.map((folder) => [folder.user_id, folder])).values()])
    .execute();
  gateway = await startTestGateway(model.read, {
    auth: matrixAuth(),
    commands: notedCommands(),
    sonic: new FakeSounds(),
    settings: { DELETE_FROM_DISK: true, LOCALPLAY_CONTROLLER: 'mpd' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
  await rm(root, { recursive: true, force: true });
});

const needsOf = (row: MethodRow<never>): string => (row.kind === 'caller' ? String(row.access) : row.kind);

const LEVELS = ['guest', 'user', 'content', 'catalog', 'admin'] as const;
type Cells = MatrixRow['cells'];
/** Numbers of versions from 5 on, and of the older ones. */
const NUMBERS = { young: { session: '4701', access: '4742' }, old: { session: '401', access: '403' } } as const;

/** Callers who got another answer than the row says. */
const nativeFaults = (row: MethodRow<never>, cells: Cells): unknown[] => {
  if (row.kind === 'public') return [];
  const { session, access } = NUMBERS[(row.versions.at(-1) ?? 8) < 5 ? 'old' : 'young'];
  const isRight = (name: (typeof LEVELS)[number]): boolean =>
    callers[name].access < row.access ? cells[name] === access : cells[name] !== session;
  const wrong = LEVELS.filter((name) => !isRight(name)).map((name) => [name, cells[name]]);
  return [...wrong, ...(cells.disabled === session ? [] : ['disabled']), ...(cells.elsewhere === access ? [] : ['elsewhere'])];
};

describe('the native API', () => {
  it.each(Object.entries<MethodRow<never>>(methods).map(([action, row]) => ({ action, row })))('$action', async ({ action, row }) => {
    const cells = await cellsOf((name) => nativeCell(action, row, name));
    native.push({ name: action, needs: needsOf(row), cells });
    expect(nativeFaults(row, cells)).toEqual([]);
  });

  it('is the table that was reviewed', async () => {
    const rows = native.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
    await expect(matrixText(rows)).toMatchFileSnapshot(goldenPath('access/native.txt'));
  });

  it('asks for the levels of contracts/api', () => {
    const levels = new Map(nativeMethods.map(({ name, access }) => [name, access]));
    const wrong = Object.entries<MethodRow<never>>(methods).flatMap(([action, row]) => {
      const wanted = levels.get(action) ?? 0;
      // Level 0 is an action without a level, and the lowest account there is is a guest. What is public asks nobody: goodbye looks at its token itself.
      if (row.kind !== 'caller') return wanted <= 5 ? [] : [{ action, asked: 0, wanted }];
      return row.access === Math.max(wanted, 5) ? [] : [{ action, asked: row.access, wanted }];
    });
    expect(wrong).toEqual([]);
  });
});

/** Preferences as they are while nobody has set any. */
const unset = preferenceSnapshot({ custom: [], values: [] }, { localplay_controller: 'mpd' });

const accessOf = (row: EndpointRow<never>): string => {
  if (row.access === 'public') return 'public';
  return `${row.access.level}${row.access.role ? ` ${row.access.role}` : ''}`;
};

const mayCall = (row: EndpointRow<never>, name: CallerName): boolean => {
  if (row.access === 'public') return true;
  const { access } = callers[name];
  const roles = rolesOf({ preferences: unset, services: gateway.services }, { id: idOf(name), access, disabled: false });
  return access >= row.access.level && (!row.access.role || roles[row.access.role]);
};

const compatFaults = (row: EndpointRow<never>, cells: Cells): unknown[] => {
  if (row.access === 'public') return [];
  const isRight = (name: (typeof LEVELS)[number]): boolean =>
    mayCall(row, name) ? !['40', '44'].includes(cells[name]) : cells[name] === '50';
  const wrong = LEVELS.filter((name) => !isRight(name)).map((name) => [name, cells[name]]);
  return [...wrong, ...(cells.disabled === '44' ? [] : ['disabled']), ...(cells.elsewhere === '50' ? [] : ['elsewhere'])];
};

describe('the compatibility API', () => {
  it.each(Object.entries<EndpointRow<never>>(registry).map(([operation, row]) => ({ operation, row })))(
    '$operation',
    async ({ operation, row }) => {
      const cells = await cellsOf((name) => compatCell(operation, name));
      compat.push({ name: operation, needs: accessOf(row), cells });
      expect(compatFaults(row, cells)).toEqual([]);
    },
  );

  it('is the table that was reviewed', async () => {
    const rows = compat.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
    await expect(matrixText(rows)).toMatchFileSnapshot(goldenPath('access/compat.txt'));
  });
});

describe('play and picture addresses', () => {
  it.each([
    ['/play/index.php', { type: 'song', oid: '1' }],
    ['/image.php', { object_type: 'album', object_id: '1' }],
  ])('%s', async (path, params) => {
    const statuses = await Promise.all(callerNames.map(async (name) => [name, (await call(name, path, params)).statusCode]));
    const refused = statuses.filter(([, status]) => status === 403).map(([name]) => name);
    expect(refused).toEqual(['disabled', 'elsewhere']);
    expect((await gateway.app.inject({ url: `${path}?${new URLSearchParams(params).toString()}` })).statusCode).toBe(403);
  });
});
