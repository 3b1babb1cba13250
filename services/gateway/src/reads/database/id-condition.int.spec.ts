import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { songsByIds } from '../songs/songs.reads.js';

let model: TestReadModel;

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await sql`analyze library.song, library.album`.execute(model.write);
});
afterAll(() => model.close());

describe('songs by id', () => {
  it('are planned once, however few are asked for', async () => {
    const { rows } = await model.read.connection().execute(async (connection) => {
      for (const count of [2, 1, 3, 5]) {
        const ids = Array.from({ length: count }, (_, index) => index + 1);
        for (let round = 0; round < 25; round += 1) {
          const songs = await songsByIds(connection, ids, { userId: 1, catalogs: 'all' });
          expect(songs.map(({ doc }) => doc.id)).toEqual(ids);
        }
      }
      return sql`select custom_plans::int as anew from pg_prepared_statements where statement like '%library%song%any(%'`.execute(
        connection,
      );
    });
    // Postgres compares five plans with the one for all before it decides.
    expect(rows).toEqual([{ anew: 5 }]);
  });
});
