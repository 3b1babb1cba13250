import { isErrorCode, Rejection } from '@continuo/contracts';
import { someOf } from '@continuo/local-servers/test-form';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Viewer } from '../reads/visibility/viewer.js';
import { randomFacts, type LibraryFacts } from '../../test/library/random-facts.js';
import { testReadModel, type TestReadModel } from '../../test/servers/read-model-database.js';
import { seedFacts } from '../../test/library/seed-facts.js';
import { operators, type Family } from './operators.js';
import type { SearchRule } from './rule.js';
import { searchTypes, typeDefinitions, type SearchType } from './search-types.js';
import { createSearches, type Searches } from './searches.js';

const facts: LibraryFacts = randomFacts(7);
let model: TestReadModel;
let searches: Searches;

beforeAll(async () => {
  model = await testReadModel();
  await seedFacts(model.write as unknown as Kysely<unknown>, facts);
  const limits = { cacheBytes: 1_000_000, timeoutMs: 2000, manyRulesTimeoutMs: 2000, slots: 4, queue: 1000 };
  searches = createSearches(model.read, limits, () => 1_700_500_000_000);
});
afterAll(() => model.close());

/** Hostile operands; none of them may become SQL or reveal more than the viewer may see. */
const hostile = [
  '',
  '1',
  '0',
  '-1',
  '99999999999999999999',
  "x' or '1'='1",
  '%',
  '_',
  '\\',
  '%\\',
  'a\\_b%',
  '(((',
  '(a+)+$',
  '(a|a)*b',
  '((a{1,250}){1,250}){1,250}',
  '(.)\\1',
  '(?=a)',
  '[[:alpha:',
  'nul\0nul',
  'ünïcode 🎵',
  'lone \ud800 surrogate',
  '\udc00',
  '\u0301',
  '|',
  'a|b',
  ';drop table library.song',
  '$1',
  '{}',
  '2024-01-01',
  'x'.repeat(100_000),
  '%_'.repeat(400),
];

/** For operands that are no texts: what a number or a date is read from. */
const hostileNumbers = ['', '-1', '99999999999999999999', "x' or '1'='1", 'NaN', '1e9', '2024-01-01', '\ud800', '|'];
const isText = (family: Family, operator: string): boolean =>
  family === 'text' || (family === 'multiple' && !operator.startsWith('number'));

const everything: Viewer = { userId: 1, catalogs: 'all' };
const limited: Viewer = { userId: 1, catalogs: [1] };
const nobody: Viewer = { userId: 1, catalogs: [] };

/** Ids of each kind that a viewer of catalog 1 may be shown. */
const seenInCatalog1 = (): Partial<Record<SearchType, ReadonlySet<number>>> => {
  const songs = facts.songs.filter(({ catalog }) => catalog === 1);
  const albums = facts.albums.filter(({ catalog, id }) => catalog === 1 && songs.some(({ album }) => album === id));
  const artists = new Set([...songs, ...albums].flatMap((credited) => credited.artists));
  const genres = new Set(songs.flatMap((song) => song.genres));
  return {
    song: new Set(songs.map(({ id }) => id)),
    album: new Set(albums.map(({ id }) => id)),
    album_disk: new Set(songs.map(({ album, disk }) => album * 256 + Math.min(disk, 255))),
    artist: artists,
    album_artist: artists,
    song_artist: artists,
    label: new Set(albums.flatMap(({ labels }) => labels)),
    genre: genres,
    tag: genres,
  };
};

/** The ids that are found, or the refusal. Anything else is a failure of the server. */
const outcome = async (
  type: SearchType,
  asked: Pick<SearchRule, 'name' | 'operator' | 'input'>,
  viewer: Viewer,
): Promise<number[] | string> => {
  const rule: SearchRule = { ...asked, subtype: 'MOOD', parameter: 'rule_1' };
  try {
    return [...(await searches.ids({ type, rules: [rule], logic: 'and' }, viewer)).ids];
  } catch (error) {
    if (error instanceof Rejection && isErrorCode(error.code) && error.code.startsWith('input.')) return error.code;
    throw error;
  }
};

// Tags are genres, and artists of a particular credit have the rules of all artists.
const sameRules: ReadonlySet<SearchType> = new Set(['tag', 'album_artist', 'song_artist']);
const rules = searchTypes
  .filter((type) => !sameRules.has(type))
  .flatMap((type) => typeDefinitions[type].rules.map(({ name, family }) => ({ type, name, family })));

describe('every rule with every operator', () => {
  const seen = seenInCatalog1();
  it.each(rules)('$type $name takes or refuses whatever comes', async ({ type, name, family }) => {
    const visible = seen[type];
    const stranger = async (operator: string, input: string): Promise<number[]> => {
      const ids = await outcome(type, { name, operator, input }, limited);
      return typeof ids === 'string' || !visible ? [] : ids.filter((id) => !visible.has(id));
    };
    for (const operator of operators[family]) {
      const operands = isText(family, operator) ? someOf(hostile, 6) : someOf(hostileNumbers, 3);
      const strangers = (await Promise.all(operands.map((input) => stranger(operator, input)))).flat();
      expect({ operator, strangers }).toEqual({ operator, strangers: [] });
      const [one, none] = [
        await outcome(type, { name, operator, input: '1' }, everything),
        await outcome(type, { name, operator, input: '1' }, nobody),
      ];
      // Accounts and playlists are in no catalog; everything else is hidden from who sees no catalog, unless it is refused anyway.
      const expected = type === 'user' || type === 'playlist' || typeof one === 'string' ? one : [];
      expect({ operator, none }).toEqual({ operator, none: expected });
    }
  });
});
