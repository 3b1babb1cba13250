import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchDocument, SearchKind } from '../src/search-document.js';
import type { SearchBatch, SearchCheckpoint, SearchIndex, SearchIndexWriter, SearchRequest } from '../src/search-index.js';

/** An adapter with an empty place of its own. */
export interface SearchIndexUnderTest {
  readonly index: SearchIndex;
  readonly writer: SearchIndexWriter;
  stop(): Promise<void>;
}

const base = { catalogIds: [1], foundBy: 'everybody', popularity: 0 } as const;
type Given = Partial<SearchDocument> & Pick<SearchDocument, 'kind' | 'id' | 'name'>;
const thing = (given: Given): SearchDocument => ({ ...base, ...given });

const library: readonly SearchDocument[] = [
  { kind: 'artist', id: 1, name: 'Queen', popularity: 90 },
  { kind: 'artist', id: 2, name: 'The Beatles', popularity: 95, catalogIds: [1, 2] },
  { kind: 'artist', id: 3, name: 'Beat Happening', catalogIds: [2] },
  { kind: 'artist', id: 4, name: 'AC/DC', popularity: 70 },
  { kind: 'artist', id: 5, name: 'P!nk', popularity: 40 },
  { kind: 'artist', id: 6, name: 'R.E.M.', popularity: 41 },
  { kind: 'artist', id: 7, name: 'Guns N’ Roses', popularity: 60 },
  { kind: 'artist', id: 8, name: 'Björk', popularity: 30 },
  { kind: 'artist', id: 9, name: 'Кино', otherNames: ['Kino'] },
  { kind: 'artist', id: 10, name: '宇多田ヒカル', otherNames: ['Utada, Hikaru'] },
  { kind: 'artist', id: 11, name: 'فيروز', otherNames: ['Fairuz'] },
  { kind: 'artist', id: 12, name: '周杰倫' },
  { kind: 'artist', id: 13, name: 'Sigur Rós' },
  { kind: 'artist', id: 14, name: 'Radiohead', popularity: 88 },
  { kind: 'artist', id: 15, name: 'ビリー・アイリッシュ' },
  { kind: 'artist', id: 16, name: '泰勒·斯威夫特' },
  { kind: 'album', id: 1, name: 'A Night at the Opera', artists: ['Queen'], popularity: 50 },
  { kind: 'album', id: 2, name: 'Abbey Road', artists: ['The Beatles'], popularity: 60, catalogIds: [2] },
  { kind: 'album', id: 3, name: 'Queen', artists: ['Queen'], popularity: 10 },
  { kind: 'album', id: 4, name: 'P·U·L·S·E' },
  { kind: 'album', id: 5, name: 'Northern•Lights' },
  { kind: 'song', id: 1, name: 'Bohemian Rhapsody', artists: ['Queen'], album: 'A Night at the Opera', popularity: 100 },
  { kind: 'song', id: 2, name: 'Love', artists: ['Somebody'], album: 'Plain' },
  { kind: 'song', id: 3, name: 'Love Me Do', artists: ['The Beatles'], album: 'Please Please Me', popularity: 80 },
  { kind: 'song', id: 4, name: 'All You Need Is Love', artists: ['The Beatles'], album: 'Magical Mystery Tour', popularity: 99 },
  { kind: 'song', id: 5, name: 'Come Together', artists: ['The Beatles'], album: 'Abbey Road', catalogIds: [2], popularity: 70 },
  { kind: 'song', id: 6, name: 'Under Pressure', artists: ['Queen', 'David Bowie'], album: 'Hot Space', composers: ['John Deacon'] },
  { kind: 'song', id: 7, name: 'Numb/Encore (feat. Jay-Z)', artists: ['Linkin Park', 'Jay-Z'], album: 'Collision Course' },
  { kind: 'song', id: 8, name: 'Группа крови', artists: ['Кино'], album: 'Группа крови' },
  { kind: 'song', id: 9, name: 'السلام عليك يا أحمد', artists: ['فيروز'] },
  { kind: 'song', id: 10, name: 'Twin', popularity: 3 },
  { kind: 'song', id: 11, name: 'Twin', popularity: 5 },
  { kind: 'song', id: 12, name: 'Twin', popularity: 3 },
  { kind: 'playlist', id: 1, name: 'Love songs', catalogIds: [] },
  { kind: 'playlist', id: 2, name: 'Secret love songs', catalogIds: [], foundBy: [7, 8] },
  { kind: 'video', id: 1, name: 'Wedding of Ann', catalogIds: [3] },
].map((given) => thing(given as Given));

const at = (position: number): SearchCheckpoint => ({ epoch: 'first', position, version: 1 });

const fill = async (writer: SearchIndexWriter, batch: SearchBatch, checkpoint = at(1)): Promise<void> => {
  const rebuild = await writer.beginRebuild();
  await rebuild.write(batch);
  await rebuild.swap(checkpoint);
};

/** Request for one kind. */
type Asked = Partial<Omit<SearchRequest, 'pages'>> & { offset?: number; limit?: number };

/** Where the adapter under test is searched; one server may serve the whole suite. */
type Start = () => Promise<SearchIndexUnderTest>;

const finder =
  (under: () => SearchIndexUnderTest) =>
  async (kind: SearchKind, text: string, { offset = 0, limit = 10, ...asked }: Asked = {}): Promise<readonly number[]> => {
    const request = { catalogs: 'all', viewerId: null, ...asked, text, pages: { [kind]: { offset, limit } } } as const;
    return (await under().index.search(request))[kind]?.ids ?? [];
  };

/** Contract of finding and ranking. */
const findingContract = (name: string, start: Start): void => {
  describe(`${name} as a search index`, () => {
    let under: SearchIndexUnderTest;
    const find = finder(() => under);
    beforeAll(async () => {
      under = await start();
      await under.writer.prepare();
      await fill(under.writer, { upserts: library });
    });
    afterAll(() => under.stop());

    it.each<[SearchKind, string, number]>([
      ['artist', 'queen', 1],
      ['artist', 'QUEEN', 1],
      ['artist', 'que', 1],
      ['artist', 'the beatles', 2],
      ['artist', 'beatles', 2],
      ['artist', 'beatles the', 2],
      ['artist', 'radiohaed', 14],
      ['artist', 'radiohea', 14],
      ['artist', 'bjork', 8],
      ['artist', 'Bjórk', 8],
      ['artist', 'acdc', 4],
      ['artist', 'ac/dc', 4],
      ['artist', 'ac dc', 4],
      ['artist', 'pink', 5],
      ['artist', 'p!nk', 5],
      ['artist', 'rem', 6],
      ['artist', 'r.e.m.', 6],
      ['artist', 'guns n roses', 7],
      ['artist', "guns n' roses", 7],
      ['artist', 'guns and roses', 7],
      ['artist', 'sigur ros', 13],
      ['artist', 'кино', 9],
      ['artist', 'kino', 9],
      ['artist', '宇多田', 10],
      ['artist', 'ヒカル', 10],
      ['artist', 'utada', 10],
      ['artist', '周杰', 12],
      ['artist', 'فيروز', 11],
      ['artist', 'ビリーアイリッシュ', 15],
      ['artist', 'ビリー・アイリッシュ', 15],
      ['artist', 'ﾋﾞﾘｰ･ｱｲﾘｯｼｭ', 15],
      ['artist', 'アイリッシュ', 15],
      ['artist', '泰勒斯威夫特', 16],
      ['artist', '斯威夫特', 16],
      ['album', 'pulse', 4],
      ['album', 'p•u•l•s•e', 4],
      ['album', 'pu·lse', 4],
      ['album', 'northernlights', 5],
      ['album', 'northern‧lights', 5],
      ['album', 'lights', 5],
      ['song', 'bohemian rha', 1],
      ['song', 'bohemain rhapsody', 1],
      ['song', 'queen opera', 1],
      ['song', 'pressure bowie', 6],
      ['song', 'pressure deacon', 6],
      ['song', 'numb jay-z', 7],
      ['song', 'numb jayz', 7],
      ['song', 'группа', 8],
      ['song', 'احمد', 9],
      ['album', 'abbey', 2],
      ['album', 'night opera', 1],
    ])('finds the %s that %s means first', async (kind, text, id) => {
      expect((await find(kind, text))[0]).toBe(id);
    });

    it('ranks by match, then by popularity, then by id', async () => {
      const love = await find('song', 'love');
      expect(love[0]).toBe(2);
      expect(new Set(love.slice(0, 3))).toEqual(new Set([2, 3, 4]));
      expect(await find('song', 'twin')).toEqual([11, 10, 12]);
    });

    it('wants all words', async () => {
      expect(await find('song', 'bohemian zebra')).toEqual([]);
      expect(await find('artist', 'xylophone')).toEqual([]);
    });

    it('finds nothing without letters or digits', async () => {
      for (const text of ['', '   ', '""', '*', '%', '\\', '\u0000']) expect(await find('song', text)).toEqual([]);
    });

    it('takes every text as text', async () => {
      for (const text of [
        "queen' or 1=1 --",
        'que%',
        'queen & !',
        '(queen',
        'a:* | b',
        '{"a":1}',
        'queen\u0000',
        '\ud800queen',
        'x'.repeat(5000),
      ])
        expect(Array.isArray(await find('artist', text))).toBe(true);
    });

    it('pages without gaps and repetitions', async () => {
      const all = await find('song', 'love');
      const parts = await Promise.all([0, 1, 2, 3, 4].map((offset) => find('song', 'love', { offset, limit: 1 })));
      expect(parts.flat()).toEqual(all.slice(0, 5));
    });

    it('answers the kinds that were asked for, with their totals', async () => {
      const pages = { song: { offset: 0, limit: 1 }, playlist: { offset: 0, limit: 0 }, album: { offset: 5, limit: 5 } };
      const result = await under.index.search({ text: 'twin', pages, catalogs: 'all', viewerId: null });
      expect(Object.keys(result).toSorted()).toEqual(['album', 'playlist', 'song']);
      expect(result.song?.ids).toEqual([11]);
      expect(result.song?.estimatedTotal).toBeGreaterThanOrEqual(3);
      expect(result.playlist?.ids).toEqual([]);
      expect(result.album?.ids).toEqual([]);
    });

    it('finds nothing of catalogs that are not visible', async () => {
      expect(await find('artist', 'beat', { catalogs: [1] })).toEqual([2]);
      expect(new Set(await find('artist', 'beat', { catalogs: [2] }))).toEqual(new Set([2, 3]));
      expect(await find('song', 'come together', { catalogs: [1, 3] })).toEqual([]);
      expect(await find('video', 'wedding', { catalogs: [3] })).toEqual([1]);
      expect(await find('video', 'wedding', { catalogs: [] })).toEqual([]);
    });

    it('finds private things for those that they name, whatever catalogs they see', async () => {
      expect(await find('playlist', 'love', { catalogs: [] })).toEqual([1]);
      expect(await find('playlist', 'love', { viewerId: 9 })).toEqual([1]);
      expect(await find('playlist', 'love', { viewerId: 7 })).toEqual([1, 2]);
      expect(await find('playlist', 'secret', { viewerId: 8, catalogs: [1] })).toEqual([2]);
    });
  });
};

/** Contract of writing. */
const writingContract = (name: string, start: Start): void => {
  describe(`${name} as something to write to`, () => {
    let under: SearchIndexUnderTest;
    const find = finder(() => under);
    beforeAll(async () => {
      under = await start();
    });
    afterAll(() => under.stop());

    it('has no checkpoint before it is filled', async () => {
      await under.writer.prepare();
      await under.writer.prepare();
      expect(await under.writer.checkpoint()).toBeUndefined();
      await expect(under.writer.apply({}, at(1))).rejects.toThrow(Error);
    });

    it('shows a rebuild only once it is swapped in', async () => {
      await fill(under.writer, { upserts: [thing({ kind: 'song', id: 1, name: 'Old' })] });
      const rebuild = await under.writer.beginRebuild();
      await rebuild.write({ upserts: [thing({ kind: 'song', id: 2, name: 'New' })] });
      await rebuild.write({ upserts: [thing({ kind: 'song', id: 2, name: 'Newer' }), thing({ kind: 'album', id: 2, name: 'New' })] });
      expect(await find('song', 'newer')).toEqual([]);
      expect(await find('song', 'old')).toEqual([1]);
      await rebuild.swap(at(9));
      await rebuild.abandon();
      expect(await find('song', 'newer')).toEqual([2]);
      expect(await find('song', 'old')).toEqual([]);
      expect(await under.writer.checkpoint()).toEqual(at(9));
      expect(await under.writer.counts()).toMatchObject({ song: 1, album: 1, artist: 0 });
    });

    it('forgets a rebuild that was given up or left behind', async () => {
      await fill(under.writer, { upserts: [thing({ kind: 'song', id: 1, name: 'Kept' })] });
      const left = await under.writer.beginRebuild();
      await left.write({ upserts: [thing({ kind: 'song', id: 2, name: 'Left' })] });
      const given = await under.writer.beginRebuild();
      await given.write({ upserts: [thing({ kind: 'song', id: 3, name: 'Given' })] });
      await given.abandon();
      expect(await find('song', 'kept')).toEqual([1]);
      expect(await find('song', 'given')).toEqual([]);
      expect(await under.writer.checkpoint()).toEqual(at(1));
    });

    it('applies changes together with the checkpoint, however often', async () => {
      await fill(under.writer, { upserts: [1, 2, 3].map((id) => thing({ kind: 'song', id, name: `Tune number${id}` })) });
      const batch: SearchBatch = {
        upserts: [thing({ kind: 'song', id: 1, name: 'Renamed' }), thing({ kind: 'artist', id: 1, name: 'Tuner' })],
        deletions: [
          { kind: 'song', id: 2 },
          { kind: 'song', id: 77 },
        ],
        popularity: [
          { kind: 'song', id: 3, popularity: 8 },
          { kind: 'song', id: 78, popularity: 8 },
        ],
      };
      for (const position of [2, 3]) await under.writer.apply(batch, at(position));
      expect(await find('song', 'tune')).toEqual([3]);
      expect(await find('song', 'renamed')).toEqual([1]);
      expect(await find('artist', 'tuner')).toEqual([1]);
      expect(await under.writer.checkpoint()).toEqual(at(3));
      expect(await under.writer.counts()).toMatchObject({ song: 2, artist: 1 });
    });

    it('ranks by popularity as it is now', async () => {
      await fill(under.writer, { upserts: [1, 2].map((id) => thing({ kind: 'song', id, name: 'Same' })) });
      expect(await find('song', 'same')).toEqual([1, 2]);
      await under.writer.apply({ popularity: [{ kind: 'song', id: 2, popularity: 4 }] }, at(2));
      expect(await find('song', 'same')).toEqual([2, 1]);
    });

    it('can be empty', async () => {
      await fill(under.writer, {}, at(4));
      expect(await find('song', 'same')).toEqual([]);
      expect(await under.writer.checkpoint()).toEqual(at(4));
      await under.writer.apply({ upserts: [thing({ kind: 'song', id: 1, name: 'First' })] }, at(5));
      expect(await find('song', 'first')).toEqual([1]);
    });
  });
};

/** Contract test of every {@link SearchIndex} and its writer. Each half starts an adapter of its own, empty and apart from others. */
export const searchIndexContract = (name: string, start: Start): void => {
  findingContract(name, start);
  writingContract(name, start);
};
