import type { ReadModel } from '@continuo/contracts';
import fc from 'fast-check';
import { sql, type Kysely } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { timeline, timelineStatement, type ActivityView, type Audience } from '../../features/people/activity.reads.js';
import type { Viewer } from '../visibility/viewer.js';

let model: TestReadModel;
let db: Kysely<ReadModel>;
/** Songs with their catalogs. */
let catalogOf: ReadonlyMap<number, number>;

const PEOPLE = 5;

beforeAll(async () => {
  model = await testReadModel();
  db = model.write;
  await seedFixtureLibrary(db, fixtureSongs);
  const songs = await db.selectFrom('library.song').select(['id', 'catalog_id']).execute();
  catalogOf = new Map(songs.map(({ id, catalog_id }) => [id, catalog_id]));
  await sql`insert into social."user" (id, username, username_key, full_name_public, access, disabled, created_at_ms)
    select n, 'user ' || n, 'user ' || n, false, 25, n = ${PEOPLE}, 0 from generate_series(1, ${PEOPLE}) n`.execute(db);
});
afterAll(() => model.close());
afterEach(async () => {
  for (const table of ['social.follow', 'social.activity', 'playback.play', 'social.shout', 'social.user_preference'] as const)
    await db.deleteFrom(table).execute();
});

interface Did {
  readonly action: 'play' | 'skip' | 'rating' | 'userflag' | 'shout';
  readonly user: number;
  readonly song: number;
  readonly atMs: number;
}
interface World {
  readonly did: readonly Did[];
  readonly follows: readonly (readonly [follower: number, followed: number])[];
  /** Accounts that keep to themselves what they did. */
  readonly shy: readonly number[];
}

const person = fc.integer({ min: 1, max: PEOPLE });
const worlds: fc.Arbitrary<World> = fc.record({
  did: fc.array(
    fc.record({
      action: fc.constantFrom('play' as const, 'skip' as const, 'rating' as const, 'userflag' as const, 'shout' as const),
      user: person,
      // The last one is not there.
      song: fc.integer({ min: 1, max: fixtureSongs.length + 1 }),
      atMs: fc.integer({ min: 1, max: 6 }).map((second) => second * 1000),
    }),
    { maxLength: 60 },
  ),
  follows: fc.uniqueArray(fc.tuple(person, person), { selector: String, maxLength: 12 }),
  shy: fc.uniqueArray(person, { maxLength: 2 }),
});

const entryOf = ({ action, user, song, atMs }: Did, id: number): ActivityView => ({
  id,
  atMs,
  action,
  objectType: 'song',
  objectId: song,
  userId: user,
  username: `user ${user}`,
});

/** Puts a world into the tables and answers its entries, everybody's, by a plain reading of it. */
const seed = async ({ did, follows, shy }: World): Promise<ActivityView[]> => {
  const entries: ActivityView[] = [];
  for (const [index, what] of did.entries()) {
    const { action, user: user_id, song, atMs: at_ms } = what;
    const id = index + 1;
    const about = { user_id, kind: 'song' as const, object_id: song, at_ms };
    if (action === 'play' || action === 'skip') {
      const play = { id, user_id, song_id: song, at_ms, skipped: action === 'skip', client: '' };
      await db.insertInto('playback.play').values(play).execute();
      if (action === 'play') entries.push(entryOf(what, id * 4 + 1));
    } else if (action === 'shout') {
      await db
        .insertInto('social.shout')
        .values({ ...about, id, number: id, text: 'loud' })
        .execute();
      entries.push(entryOf(what, id * 4 + 2));
    } else {
      const known = entries.findIndex((entry) => entry.action === action && entry.userId === user_id && entry.objectId === song);
      if (known >= 0) continue;
      await db
        .insertInto('social.activity')
        .values({ ...about, id, action })
        .execute();
      entries.push(entryOf(what, id * 4));
    }
  }
  for (const [user_id, followed_id] of follows)
    await db.insertInto('social.follow').values({ user_id, followed_id, followed_at_ms: 1 }).execute();
  for (const user_id of shy) await db.insertInto('social.user_preference').values({ user_id, preference_id: 41, value: '0' }).execute();
  return entries;
};

describe('a timeline', () => {
  it('holds what a plain reading of everything gives, whoever asks', async () => {
    const viewers = fc.record({ userId: person, catalogs: fc.constantFrom('all' as const, [1], [2], []) });
    const audiences = fc.oneof(
      fc.constant<Audience>({ of: 'followed' }),
      person.map((userId): Audience => ({ of: 'account', userId })),
    );
    const parts = fc.record({ sinceMs: fc.constantFrom(0, 2000, 5000), limit: fc.constantFrom(1, 3, 10, 5000) });
    await fc.assert(
      fc
        .asyncProperty(worlds, viewers, audiences, parts, async (world, viewer: Viewer, audience, part) => {
          const entries = await seed(world);
          const isSeen = (user: number): boolean => user === viewer.userId || (user !== PEOPLE && !world.shy.includes(user));
          const isMeant = (user: number): boolean =>
            audience.of === 'account'
              ? user === audience.userId
              : world.follows.some(([from, to]) => from === viewer.userId && to === user);
          const isThere = (song: number): boolean => {
            const catalog = catalogOf.get(song);
            return catalog !== undefined && (viewer.catalogs === 'all' || viewer.catalogs.includes(catalog));
          };
          const expected = entries
            .filter(({ userId, objectId, atMs }) => isSeen(userId) && isMeant(userId) && isThere(objectId) && atMs >= part.sinceMs)
            .toSorted((a, b) => b.atMs - a.atMs || b.id - a.id)
            .slice(0, part.limit);
          expect(await timeline(model.read, viewer, audience, part)).toEqual(expected);
        })
        .afterEach(async () => {
          for (const table of ['social.follow', 'social.activity', 'playback.play', 'social.shout', 'social.user_preference'] as const)
            await db.deleteFrom(table).execute();
        }),
      { numRuns: 150 },
    );
  }, 120_000);

  it('goes on behind any number of things that are hidden', async () => {
    await sql`insert into playback.play (id, user_id, song_id, at_ms, skipped, client)
      select n, 2, case when n = 1 then 1 else ${fixtureSongs.length + 1} end, n, false, '' from generate_series(1, 1500) n`.execute(db);
    const found = await timeline(model.read, { userId: 1, catalogs: 'all' }, { of: 'account', userId: 2 }, { sinceMs: 0, limit: 2 });
    expect(found.map(({ objectId }) => objectId)).toEqual([1]);
  });

  it('follows what the server says where nobody has chosen', async () => {
    await db.insertInto('playback.play').values({ id: 1, user_id: 2, song_id: 1, at_ms: 1, skipped: false, client: '' }).execute();
    const seen = () => timeline(model.read, { userId: 1, catalogs: 'all' }, { of: 'account', userId: 2 }, { sinceMs: 0, limit: 2 });
    await db.insertInto('social.user_preference').values({ user_id: 0, preference_id: 41, value: '0' }).execute();
    expect(await seen()).toEqual([]);
    await db.insertInto('social.user_preference').values({ user_id: 2, preference_id: 41, value: '1' }).execute();
    expect(await seen()).toHaveLength(1);
  });
});

describe('plans', () => {
  it('read a few rows of each account, by index, however much there is', async () => {
    await sql`insert into social."user" (id, username, username_key, full_name_public, access, disabled, created_at_ms)
      select n, 'user ' || n, 'user ' || n, false, 25, false, 0 from generate_series(100, 2099) n`.execute(db);
    await sql`insert into social.activity (id, user_id, action, kind, object_id, at_ms)
      select n, 100 + n % 2000, 'rating', 'song', n / 2000 + 1, n from generate_series(1, 100000) n`.execute(db);
    await sql`insert into playback.play (id, user_id, song_id, at_ms, skipped, client)
      select n, 100 + n % 2000, 1, n, false, '' from generate_series(1, 100000) n`.execute(db);
    await sql`insert into social.follow (user_id, followed_id, followed_at_ms) select 1, n, n from generate_series(100, 400) n`.execute(db);
    for (const table of ['social.activity', 'playback.play', 'social.follow', 'social."user"']) {
      const { rows } = await sql<{ name: string }>`select c.relnamespace::regnamespace || '.' || quote_ident(c.relname) as name
        from pg_class c join pg_depend d on d.refobjid = c.oid join pg_rewrite r on r.oid = d.objid
        where r.ev_class = ${table}::regclass and c.oid <> r.ev_class limit 1`.execute(db);
      for (const { name } of rows) await sql`analyze ${sql.raw(name)}`.execute(db);
    }
    const viewer: Viewer = { userId: 1, catalogs: 'all' };
    for (const audience of [{ of: 'followed' }, { of: 'account', userId: 100 }] as const) {
      const statement = timelineStatement(audience, viewer, { sinceMs: 0, limit: 20 });
      const { rows } = await sql<Record<string, string>>`explain (analyze, buffers off, timing off) ${statement}`.execute(model.read);
      const plan = rows.map((row) => row['QUERY PLAN'] ?? '').join('\n');
      expect(plan).not.toMatch(/Seq Scan on (?:activity|play)\b/);
      expect(plan).toMatch(/Index (?:Only )?Scan using activity_by_user/);
      expect(plan).toMatch(/Index (?:Only )?Scan using play_by_user/);
      // No step of the plan touches more rows than there are accounts that are followed, twenty entries for each of twenty accounts, and a little.
      const rowsOfSteps = [...plan.matchAll(/actual rows=(?<rows>[\d.]+) loops=(?<loops>\d+)/g)].map(
        ({ groups }) => Number(groups?.['rows']) * Number(groups?.['loops']),
      );
      expect(Math.max(...rowsOfSteps)).toBeLessThanOrEqual(2100);
    }
  }, 60_000);
});
