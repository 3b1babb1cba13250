import { testPostgres, type TestPostgres } from '@continuo/local-servers';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '@continuo/chassis';
import type { SearchDocument, SearchKind } from '../../search-document.js';
import type { SearchBatch } from '../../search-index.js';
import { PostgresSearchIndex } from './postgres-search-index.js';
import { PostgresSearchWriter } from './postgres-search-writer.js';

let postgres: TestPostgres;
let db: Kysely<unknown>;
let writer: PostgresSearchWriter;
let index: PostgresSearchIndex;

beforeAll(async () => {
  postgres = await testPostgres();
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  const { url } = await postgres.createDatabase();
  db = openDatabase({ url, poolSize: 4, applicationName: 'search-spec' });
  writer = new PostgresSearchWriter(db);
  index = new PostgresSearchIndex(db);
  await writer.prepare();
  return () => db.destroy();
});

const at = (position: number) => ({ epoch: 'spec', position, version: 1 });
const song = (id: number, name: string, more: Partial<SearchDocument> = {}): SearchDocument => ({
  kind: 'song',
  id,
  name,
  catalogIds: [1 + (id % 3)],
  foundBy: 'everybody',
  popularity: 0,
  ...more,
});
const fill = async (upserts: readonly SearchDocument[]): Promise<void> => {
  const rebuild = await writer.beginRebuild();
  await rebuild.write({ upserts });
  await rebuild.swap(at(1));
};
const find = async (text: string, page = { offset: 0, limit: 10 }, kind: SearchKind = 'song') =>
  (await index.search({ text, pages: { [kind]: page }, catalogs: 'all', viewerId: null }))[kind] ?? { ids: [], estimatedTotal: 0 };

/** The same numbers every time. */
const dice = (seed: number) => {
  let state = seed;
  return (sides: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
};

/** Everything that the live index holds, in a form that can be compared. */
const content = async (): Promise<unknown> => {
  const things = await sql`select id, key, plain, popularity, hot, private, array(select w from unnest(words) w order by 1) as words
    from search.song order by id`.execute(db);
  const words = await sql`select word, df, name_df from search.song_word where df <> 0 or name_df <> 0 order by word`.execute(db);
  return [things.rows, words.rows];
};

describe('the tables of the index in Postgres', () => {
  it('hold the same after any changes as after a rebuild', async () => {
    const roll = dice(7);
    const words = 'night day love train AC/DC P!nk 東京 один remix live'.split(' ');
    const name = (): string => Array.from({ length: 1 + roll(3) }, () => words[roll(words.length)] ?? '').join(' ');
    const known = new Map<number, SearchDocument>();
    await fill([]);
    for (let round = 2; round < 40; round += 1) {
      const ids = [...new Set(Array.from({ length: 1 + roll(6) }, () => 1 + roll(30)))];
      const [first, ...rest] = ids;
      const upserts = rest.map((id) =>
        song(id, name(), { artists: [name()], popularity: roll(4), foundBy: roll(5) === 0 ? [3] : 'everybody' }),
      );
      const batch: SearchBatch = {
        upserts,
        deletions: first === undefined ? [] : [{ kind: 'song', id: first }],
        popularity: [{ kind: 'song', id: 1 + roll(30), popularity: roll(9) }],
      };
      await writer.apply(batch, at(round));
      for (const document of upserts) known.set(document.id, document);
      if (first !== undefined) known.delete(first);
      for (const { id, popularity } of batch.popularity ?? []) {
        const document = known.get(id);
        if (document) known.set(id, { ...document, popularity });
      }
    }
    const changed = await content();
    const { song: count } = await writer.counts();
    expect(count).toBe(known.size);
    await fill([...known.values()]);
    expect(await content()).toEqual(changed);
  });

  it('give pages that fit together, however many things match', async () => {
    const roll = dice(3);
    await fill(
      Array.from({ length: 6000 }, (_, n) =>
        song(n + 1, `Love ${'abcdefgh'[n % 8] ?? ''}${n % 50}`, { popularity: n % 40 === 0 ? roll(900) : 0 }),
      ),
    );
    await writer.apply({}, at(2));
    const whole = (await find('love', { offset: 0, limit: 5000 })).ids;
    expect(whole.length).toBeGreaterThan(4000);
    expect(new Set(whole).size).toBe(whole.length);
    for (const [offset, limit] of [
      [0, 20],
      [20, 20],
      [190, 20],
      [199, 2],
      [990, 30],
      [2500, 10],
    ] as const)
      expect((await find('love', { offset, limit })).ids).toEqual(whole.slice(offset, offset + limit));
    expect((await find('love')).estimatedTotal).toBeGreaterThan(4000);
    expect((await find('love', { offset: 6000, limit: 10 })).ids).toEqual([]);
    expect((await find('l')).ids[0]).toBe(whole[0]);
  });

  it('put what is popular first among very many', async () => {
    const many = Array.from({ length: 5000 }, (_, n) => song(n + 1, `Night ${n}`));
    await fill([...many, song(9001, 'Night train', { popularity: 7 }), song(9002, 'Last night', { popularity: 9 })]);
    expect((await find('night')).ids.slice(0, 2)).toEqual([9002, 9001]);
    await writer.apply({ popularity: [{ kind: 'song', id: 4000, popularity: 50 }] }, at(2));
    expect((await find('night')).ids[0]).toBe(4000);
  });

  it('find a popular name by its first letters among very many words', async () => {
    await fill([...Array.from({ length: 3000 }, (_, n) => song(n + 1, `Qa${n.toString(36)} x`)), song(9001, 'Queen', { popularity: 3 })]);
    expect((await find('q')).ids[0]).toBe(9001);
  });

  it('find a whole word among very many names that begin with it', async () => {
    await fill([...Array.from({ length: 3000 }, (_, n) => song(n + 1, `Ma${n.toString(36)}y`)), song(9001, 'Yo-Yo Ma')]);
    expect((await find('ma')).ids[0]).toBe(9001);
  });

  it('forgive mistakes in words that hardly anything has', async () => {
    const artist: SearchDocument = { ...song(1, 'Metallica'), kind: 'artist' };
    const page = { offset: 0, limit: 10 };
    const artists = async () =>
      (await index.search({ text: 'metalica', pages: { song: page, artist: page }, catalogs: 'all', viewerId: null })).artist?.ids;
    const misspelt = (count: number) => Array.from({ length: count }, (_, n) => song(n + 1, `Metalica cover ${n}`));
    await fill([artist, ...misspelt(9)]);
    expect(await artists()).toEqual([1]);
    await writer.apply({ upserts: misspelt(10) }, at(2));
    expect(await artists()).toEqual([]);
  });

  it('forgive mistakes without trigrams too', async () => {
    await fill([song(1, 'Radiohead'), song(2, 'Bohemian Rhapsody'), song(3, 'Beatles')]);
    await sql`drop extension pg_trgm cascade`.execute(db);
    await sql`update search.generation set trigrams = false`.execute(db);
    index = new PostgresSearchIndex(db);
    for (const [text, id] of [
      ['radiohaed', 1],
      ['bohemain rhapsdy', 2],
      ['beattles', 3],
      ['beetl', 3],
    ] as const)
      expect((await find(text)).ids).toEqual([id]);
  });

  it('bound what a hostile text costs', async () => {
    await fill(
      Array.from({ length: 3000 }, (_, n) => song(n + 1, `Wanderer ${n.toString(36)} waterfall ${'abcdefghij'[n % 10] ?? ''}${n % 7}`)),
    );
    const texts = [
      'a b c d e f g h i j k l m n o p',
      Array.from({ length: 400 }, (_, n) => `wandrr${n}`).join(' '),
      'wandreer watrefall wanderrer waterfal wnaderer watterfall waandrer wterfall wandere atterfall wanderr wtaerfall',
      '東'.repeat(900),
      `${'w'.repeat(64)} `.repeat(12),
      'a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p',
      '\u0301'.repeat(900),
    ];
    for (const text of texts) {
      const started = performance.now();
      expect((await find(text)).ids.length).toBeLessThanOrEqual(10);
      expect({ text: text.slice(0, 20), isSlow: performance.now() - started > 4000 }).toEqual({ text: text.slice(0, 20), isSlow: false });
    }
  });

  it('are replaced under readers without a failure', async () => {
    await fill([song(1, 'Here')]);
    const answers: number[] = [];
    const over = new AbortController();
    const reading = (async () => {
      while (!over.signal.aborted) answers.push((await find('here')).ids.length);
    })();
    for (let round = 0; round < 5; round += 1) await fill([song(1, 'Here')]);
    over.abort();
    await reading;
    expect(new Set(answers)).toEqual(new Set([1]));
  });
});
