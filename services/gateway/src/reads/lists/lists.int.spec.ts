import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { listDefinitions, type ListKind } from '../../kinds/index.js';
import type { Condition, ListQuery } from './list-query.js';
import { createLists, type Lists } from './lists.js';
import type { Viewer } from '../visibility/viewer.js';

let model: TestReadModel;
let lists: Lists;
const everything: Viewer = { userId: 1, catalogs: 'all' };

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  lists = createLists(model.read, listDefinitions, 1_000_000);
});
afterAll(() => model.close());

const find = async (kind: ListKind, where: readonly Condition[], sort = 'id', viewer = everything): Promise<number[]> => {
  const query: ListQuery<ListKind> = { kind, where, sort: { name: sort, descending: false } };
  return [...(await lists.ids(query, viewer)).ids];
};
const has = (name: string, value: string): Condition[] => [{ name, value }];

describe('names', () => {
  it('say nothing where they are unknown, or inherited', async () => {
    const all = await find('song', []);
    expect(await find('song', has('constructor', '1'))).toEqual(all);
    expect(await find('song', has('no_such_filter', '1'))).toEqual(all);
    expect(await find('song', [], '__proto__')).toEqual(all);
  });
});

describe('regular expressions', () => {
  it('are refused with the reason where they are none', async () => {
    await expect(find('song', has('regex_match', '(('))).rejects.toMatchObject({ code: 'input.invalid', subject: 'cond' });
    await expect(find('song', has('regex_not_match', '[[:x:]]'))).rejects.toMatchObject({ message: 'not a regular expression' });
  });
  it.each([
    '((((a{1,99}){1,99}){1,99}){1,99})',
    '(((((((((x*)*)*)*)*)*)*)*)*)*y',
    '(a|b|ab)*(a|b|ab)*(a|b|ab)*c\\1',
    '.{255}.{255}.{255}.{255}$',
  ])('that are built to be dear cost little: %s', async (pattern) => {
    const hurried = createLists(model.read, listDefinitions, 1_000_000, { boundedMs: 300 });
    const startedAt = performance.now();
    const query: ListQuery<ListKind> = { kind: 'song', where: has('regex_match', pattern), sort: { name: 'id', descending: false } };
    const refused = await hurried.ids(query, everything).then(
      () => undefined,
      (error: unknown) => (error as { code: string }).code,
    );
    expect([undefined, 'input.invalid']).toContain(refused);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });
  it('get a limited time', async () => {
    await sql`update library.song set title = repeat('a', 999) || 'b' where id = 1`.execute(model.write);
    const hurried = createLists(model.read, listDefinitions, 1_000_000, { boundedMs: 100 });
    const query: ListQuery<ListKind> = {
      kind: 'song',
      where: has('regex_match', String.raw`^(a+)(a+)(a+)\1\2\3b$`),
      sort: { name: 'id', descending: false },
    };
    const startedAt = performance.now();
    await expect(hurried.ids(query, everything)).rejects.toMatchObject({
      code: 'input.invalid',
      message: 'the regular expression takes too long',
      subject: 'cond',
    });
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    // The limit ends with the statement: the connection is as good as new.
    expect((await sql<{ t: string }>`select current_setting('statement_timeout') as t`.execute(model.read)).rows).toEqual([{ t: '0' }]);
    await sql`update library.song set title = 'Opening Æther' where id = 1`.execute(model.write);
  });
});

describe('song lists', () => {
  it('match text in any case, with or without accents and articles', async () => {
    expect(await find('song', has('alpha_match', 'HARBOUR'))).toEqual([5]);
    expect(await find('song', has('alpha_match', 'день'))).toEqual([3]);
    expect(await find('song', has('exact_match', 'second watch'))).toEqual([2]);
    expect(await find('song', has('starts_with', 'unti'))).toEqual([4]);
    expect(await find('song', has('alpha_match', '100%'))).toEqual([]);
    expect(await find('album', has('alpha_match', 'the long'))).toEqual([1]);
    expect(await find('album', has('alpha_match', 'the'))).toEqual([1]);
    expect(await find('album', has('alpha_match', 'e lo'))).toEqual([1]);
    expect(await find('artist', has('alpha_match', 'zoe'))).toEqual([2]);
  });
  it('join conditions with and', async () => {
    expect(await find('song', [...has('genre', '1'), ...has('catalog', '1')])).toEqual([1, 2]);
    expect(await find('song', has('no_genre', ''))).toEqual([4]);
    expect(await find('song', has('unplayed', '1'))).toEqual([2, 4]);
    expect(await find('song', has('artist', '2'))).toEqual([1]);
    expect(await find('song', has('year', '2004'))).toEqual(await find('song', []));
  });
  it('order by what was asked', async () => {
    expect(await find('song', [], 'title')).toEqual([5, 1, 2, 4, 3]);
    expect(await find('song', [], 'year')).toEqual([4, 5, 1, 2, 3]);
    expect(await find('song', [], 'total_count')).toEqual([2, 4, 5, 1, 3]);
  });
  it('shuffle', async () => {
    expect(new Set(await find('song', [], 'rand'))).toEqual(new Set([1, 2, 3, 4, 5]));
  });
});

describe('visibility', () => {
  it.each([[[1]], [[2]], [[1, 2]], [[]]])('catalogs %j show what is in them and nothing else', async (catalogs: number[]) => {
    const viewer: Viewer = { userId: 1, catalogs };
    const inside = await sql<{
      id: number;
      album_id: number;
    }>`select id, album_id from library.song where catalog_id = any(${catalogs}::int[]) order by id`.execute(model.read);
    const albums = [...new Set(inside.rows.map((row) => row.album_id))];
    const credited = await sql<{
      id: number;
    }>`select distinct artist_id as id from library.artist_catalog where catalog_id = any(${catalogs}::int[]) order by id`.execute(
      model.read,
    );
    expect(await find('song', [], 'id', viewer)).toEqual(inside.rows.map((row) => row.id));
    expect(await find('song', [], 'rand', viewer)).toHaveLength(inside.rows.length);
    expect(await find('album', [], 'id', viewer)).toEqual(albums);
    expect(await find('artist', [], 'id', viewer)).toEqual(credited.rows.map((row) => row.id));
    expect(await find('catalog', [], 'id', viewer)).toEqual(catalogs);
  });
});

describe('marks', () => {
  const ordered = (sort: string, where: readonly Condition[] = [], viewer = everything) =>
    lists.ids({ kind: 'song', where, sort: { name: sort, descending: true } }, viewer).then((list) => [...list.ids]);
  const flag = (song: number, at: number) => sql`insert into social.user_flag values (1, 'song', ${song}, ${at})`.execute(model.write);

  it('of the caller show at once, and only to the caller', async () => {
    await flag(3, 1000);
    expect(await ordered('user_flag')).toEqual([3, 5, 4, 2, 1]);
    await flag(1, 2000);
    expect(await ordered('user_flag')).toEqual([1, 3, 5, 4, 2]);
    expect(await ordered('title', has('user_flag', '1'))).toEqual([3, 1]);
    expect(await ordered('user_flag', [], { userId: 2, catalogs: 'all' })).toEqual([5, 4, 3, 2, 1]);
    await sql`delete from social.user_flag where object_id = 3`.execute(model.write);
    await flag(2, 500);
    expect(await ordered('user_flag')).toEqual([1, 2, 5, 4, 3]);
    expect(await ordered('title', has('user_flag', '0'))).toEqual([3, 4, 5]);
  });
  it('are not shown on what may not be seen', async () => {
    expect(await ordered('user_flag', [], { userId: 1, catalogs: [2] })).toEqual([5]);
    expect(await ordered('id', has('user_flag', '1'), { userId: 1, catalogs: [2] })).toEqual([]);
  });
  it('of plays show with the play', async () => {
    const before = await ordered('total_count', has('unplayed', '1'));
    await sql`insert into playback.song_plays (song_id, play_count, skip_count, last_played_at_ms) values (${before[0]}, 9, 0, 1)`.execute(
      model.write,
    );
    await sql`insert into playback.play (id, user_id, song_id, at_ms, skipped, client) values (900, 1, ${before[0]}, 1, false, 'spec')`.execute(
      model.write,
    );
    expect((await ordered('total_count'))[0]).toBe(before[0]);
    expect(await ordered('total_count', has('unplayed', '1'))).toEqual(before.slice(1));
    const [first] = (await lists.ids({ kind: 'album', where: [], sort: { name: 'total_count', descending: true } }, everything)).ids;
    const albums = await sql<{ album_id: number }>`select album_id from library.song where id = ${before[0]}`.execute(model.read);
    expect(first).toBe(albums.rows[0]?.album_id);
  });
});

describe('kept lists', () => {
  it('are made anew when the catalogue moves on, and only then', async () => {
    const before = await find('song', []);
    await sql`update library.song set title_sort = 'changed' where id = 1`.execute(model.write);
    // No count changes with it, so that only the version tells.
    await sql`update library.song set id = 22 where id = 2`.execute(model.write);
    expect(await find('song', [])).toEqual(before);
    await sql`update library.counter set version = version + 1 where kind = 'song' and catalog_id = 1`.execute(model.write);
    expect(await find('song', [])).toEqual([1, 3, 4, 5, 22]);
  });
  it('do without room', async () => {
    const small = createLists(model.read, listDefinitions, 0);
    const query: ListQuery<ListKind> = { kind: 'song', where: [], sort: { name: 'id', descending: true } };
    expect([...(await small.ids(query, everything)).ids]).toEqual([22, 5, 4, 3, 1]);
  });
});
