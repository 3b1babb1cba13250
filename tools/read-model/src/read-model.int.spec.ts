import { readdirSync, readFileSync } from 'node:fs';
import { openDatabase } from '@continuo/chassis';
import { testPostgres, type TestPostgres } from '@continuo/local-servers';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReadModel } from './install.js';
import { seedRichLibrary } from './rich-library.js';

let postgres: TestPostgres;
let db: Kysely<unknown>;

beforeAll(async () => {
  postgres = await testPostgres();
  db = openDatabase({ url: postgres.url, poolSize: 2, applicationName: 'spec' });
  await seedRichLibrary(db);
});
afterAll(async () => {
  await db.destroy();
  await postgres.stop();
});

const typesFolder = new URL('../../../contracts/src/read-model/', import.meta.url);
const sources = readdirSync(typesFolder).map((name) => readFileSync(new URL(name, typesFolder), 'utf8'));
const bodyOf = (name: string): string =>
  sources
    .map((text) => new RegExp(`export interface ${name} (?:extends (\\w+) )?\\{(.*?)\\n\\}`, 's').exec(text))
    .flatMap((found) => (found ? [`${found[1] === undefined ? '' : bodyOf(found[1])}${found[2] ?? ''}`] : []))[0] ?? '';
const columnsOf = (name: string): string[] => [...bodyOf(name).matchAll(/^ {2}(\w+)\??:/gm)].map((found) => found[1] as string);
/** `schema.table` and the interface that the contracts have for it. */
const published = [...bodyOf('ReadModel').matchAll(/'(\w+)\.(\w+)': \w+\.(\w+);/g)].map(([, schema = '', table = '', type = '']) => ({
  schema,
  table,
  type,
}));

const rows = async <T>(query: string): Promise<T[]> => (await sql.raw<T>(query).execute(db)).rows;

describe('what the services publish', () => {
  it('is looked at', () => expect(published.length).toBeGreaterThan(30));
  it.each(published)('$schema.$table has every column of $type', async ({ schema, table, type }) => {
    const found = await rows<{ name: string }>(
      `select column_name as name from information_schema.columns where table_schema = '${schema}' and table_name = '${table}'`,
    );
    expect(columnsOf(type)).not.toEqual([]);
    expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(columnsOf(type)));
  });
  it('is made once, however often it is asked for', async () => {
    await createReadModel(db);
    expect(await rows(`select count(*)::int as n from chassis.projection_checkpoint group by name having count(*) > 1`)).toEqual([]);
  });
});

describe('the rich library', () => {
  const kinds = ['catalog', 'folder', 'song', 'album', 'artist', 'genre', 'mood', 'art', 'song_lyrics', 'album_disk', 'label', 'license'];
  it.each(kinds)('has %s', async (table) => {
    expect(await rows(`select 1 from library.${table} limit 1`)).toHaveLength(1);
  });
  it.each(['song', 'album', 'artist', 'genre', 'folder'])('has ids of %s without gaps', async (kind) => {
    expect(await rows(`select count(*)::int = max(id) as dense from library.${kind}`)).toEqual([{ dense: true }]);
  });
  it('keeps its counts when rows are written through the views', async () => {
    const [before] = await rows<{ total: number }>(`select total from library.counter where kind = 'song' and catalog_id = 0`);
    await rows('delete from library.song where id = 1');
    expect(await rows(`select total from library.counter where kind = 'song' and catalog_id = 0`)).toEqual([
      { total: (before?.total ?? 0) - 1 },
    ]);
  });
});
