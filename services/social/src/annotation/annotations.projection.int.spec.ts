import { openDatabase } from '@continuo/chassis';
import {
  objectFlagged,
  objectRated,
  objectUnflagged,
  userId,
  type AnnotationEvent,
  type RatingAverageTable,
  type RatingTable,
  type RatingVersionTable,
  type RecordedEvent,
  type UserFlagTable,
} from '@continuo/contracts';
import { testPostgres, type TestPostgres } from '@continuo/local-servers';
import fc from 'fast-check';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { annotationsProjection } from './annotations.projection.js';

interface Tables {
  rating: RatingTable;
  rating_average: RatingAverageTable;
  rating_version: RatingVersionTable;
  user_flag: UserFlagTable;
}

const recorded = (event: AnnotationEvent, n: number): RecordedEvent => ({
  ...event,
  id: `event-${n}`,
  at: 1000 + n,
  actor: 'user:1',
  correlationId: 'spec',
  causationId: 'spec',
  stream: 'EV_SOCIAL',
  subject: 'ev.social.00.annotations.1-song-0',
  position: n + 1,
});

/** Few users and things, so that everything meets everything. */
const what = {
  userId: fc.integer({ min: 1, max: 3 }).map((id) => userId.parse(id)),
  kind: fc.constantFrom('song' as const, 'album' as const),
  objectId: fc.integer({ min: 1, max: 3 }),
};
const history: fc.Arbitrary<RecordedEvent[]> = fc
  .array(
    fc.oneof(
      { arbitrary: fc.record({ ...what, rating: fc.integer({ min: 0, max: 5 }) }).map((data) => objectRated(data)), weight: 3 },
      fc.record({ ...what, flaggedAtMs: fc.integer({ min: 1, max: 9 }) }).map((data) => objectFlagged(data)),
      fc.record(what).map((data) => objectUnflagged(data)),
    ),
    { maxLength: 50 },
  )
  .map((events) => events.map(recorded));

let postgres: TestPostgres;
let db: Kysely<Tables>;

beforeAll(async () => {
  postgres = await testPostgres();
  db = openDatabase<Tables>({ url: postgres.url, poolSize: 1, applicationName: 'annotations-spec' });
  await sql`create schema spec`.execute(db);
  await sql`set search_path to spec`.execute(db);
  for (const statement of annotationsProjection.ddl) await sql.raw(statement).execute(db);
});
afterAll(async () => {
  await db.destroy();
  await postgres.stop();
});

const apply = async (events: readonly RecordedEvent[]): Promise<void> => {
  const queries = annotationsProjection.project(events, db);
  for (const query of queries) await db.executeQuery(query.compile());
};

const rows = async () => ({
  ratings: await db.selectFrom('rating').selectAll().orderBy('user_id').orderBy('kind').orderBy('object_id').execute(),
  averages: await db.selectFrom('rating_average').selectAll().orderBy('kind').orderBy('object_id').execute(),
  versions: await db.selectFrom('rating_version').selectAll().orderBy('kind').execute(),
  flags: await db.selectFrom('user_flag').selectAll().orderBy('user_id').orderBy('kind').orderBy('object_id').execute(),
});

/** The rows after a history, by the plainest reading of it. */
const expected = (events: readonly RecordedEvent[]): Awaited<ReturnType<typeof rows>> => {
  const ratings = new Map<string, RatingTable>();
  const flags = new Map<string, UserFlagTable>();
  const versions = new Map<string, RatingVersionTable>();
  for (const event of events as (RecordedEvent & AnnotationEvent)[]) {
    const { userId: user_id, kind, objectId: object_id } = event.data;
    const key = `${user_id} ${kind} ${object_id}`;
    if (event.type === 'ObjectRated') versions.set(kind, { kind, position: event.position });
    if (event.type === 'ObjectUnflagged') flags.delete(key);
    else if (event.type === 'ObjectFlagged') flags.set(key, { user_id, kind, object_id, flagged_at_ms: event.data.flaggedAtMs });
    else if (event.data.rating === 0) ratings.delete(key);
    else ratings.set(key, { user_id, kind, object_id, rating: event.data.rating, rated_at_ms: event.at });
  }
  const averages = new Map<string, RatingAverageTable>();
  for (const { kind, object_id, rating } of ratings.values()) {
    const { rating_count = 0, rating_sum = 0 } = averages.get(`${kind} ${object_id}`) ?? {};
    averages.set(`${kind} ${object_id}`, { kind, object_id, rating_count: rating_count + 1, rating_sum: rating_sum + rating });
  }
  const inKeyOrder = <R>(map: Map<string, R>): R[] => [...map].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  return { ratings: inKeyOrder(ratings), averages: inKeyOrder(averages), versions: inKeyOrder(versions), flags: inKeyOrder(flags) };
};

describe('annotationsProjection', () => {
  it('gives the rows of the plainest reading, however the log is cut into batches', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 50 }), async (events, cuts) => {
        await sql`truncate rating, rating_average, rating_version, user_flag`.execute(db);
        let from = 0;
        for (const size of cuts) {
          await apply(events.slice(from, from + size));
          from += size;
        }
        await apply(events.slice(from));
        expect(await rows()).toEqual(expected(events));
      }),
      { numRuns: 150 },
    );
  }, 60_000);

  it('skips events of others in the stream', async () => {
    await sql`truncate rating, rating_average, rating_version, user_flag`.execute(db);
    await apply([
      {
        ...recorded(objectRated({ userId: userId.parse(1), kind: 'song', objectId: 1, rating: 1 }), 1),
        type: 'AccessRuleRemoved',
        data: { ruleId: 1 },
      },
    ]);
    expect(await rows()).toEqual({ ratings: [], averages: [], versions: [], flags: [] });
  });
});
