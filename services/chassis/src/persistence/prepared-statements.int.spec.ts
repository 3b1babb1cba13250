import { testPostgres, type TestPostgres } from '@continuo/local-servers';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from './database.js';

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await testPostgres();
});
afterAll(() => postgres.stop());

const withSongs = async (): Promise<Kysely<unknown>> => {
  const db = openDatabase({ url: (await postgres.createDatabase()).url, poolSize: 1, applicationName: 'spec' });
  await sql`create table song (id integer, title text)`.execute(db);
  await sql`insert into song values (1, 'One'), (2, 'Two')`.execute(db);
  await sql`create view songs as select * from song`.execute(db);
  return db;
};

const named = async (db: Kysely<unknown>): Promise<string[]> => {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db);
  return rows.map(({ statement }) => statement);
};

const times = async <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = [];
  for (let n = 0; n < count; n += 1) results.push(await work(n));
  return results;
};

describe('statements that are used again and again', () => {
  it('are prepared once, and rare ones are not', async () => {
    const db = await withSongs();
    const titles = await times(
      9,
      async (n) => (await sql<{ title: string }>`select title from songs where id = ${n}`.execute(db)).rows[0]?.title,
    );
    await times(30, (n) => sql`select ${sql.raw(`'rare ${n}'`)} as text`.execute(db));
    expect(titles.slice(0, 3)).toEqual([undefined, 'One', 'Two']);
    expect(await named(db)).toEqual(['select title from songs where id = $1']);
    await db.destroy();
  });

  it('are answered as before when their view has other columns', async () => {
    const db = await withSongs();
    const all = () => sql<object>`select * from songs where id = ${2}`.execute(db);
    await times(8, all);
    await sql`drop view songs`.execute(db);
    await sql`create view songs as select id, title, 7 as year from song`.execute(db);
    expect((await all()).rows).toEqual([{ id: 2, title: 'Two', year: 7 }]);
    await times(8, all);
    await db.destroy();
  });

  it('fail once in a transaction when their view has other columns', async () => {
    const db = await withSongs();
    const all = () => db.transaction().execute((trx) => sql<object>`select songs.* from songs where id = ${2}`.execute(trx));
    await times(8, all);
    await sql`drop view songs`.execute(db);
    await sql`create view songs as select id, title, 8 as year from song`.execute(db);
    await expect(all()).rejects.toMatchObject({ code: '0A000' });
    expect((await all()).rows).toEqual([{ id: 2, title: 'Two', year: 8 }]);
    await db.destroy();
  });

  it('do not fill up the server', async () => {
    const db = await withSongs();
    for (let n = 0; n < 120; n += 1) await times(6, () => sql`select ${sql.raw(String(n))} + id from songs`.execute(db));
    expect((await named(db)).length).toBeLessThanOrEqual(100);
    expect((await sql<{ three: number }>`select 3 as three`.execute(db)).rows).toEqual([{ three: 3 }]);
    await db.destroy();
  });
});
