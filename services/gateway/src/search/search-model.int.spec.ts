import type { SongDocument } from '@continuo/contracts';
import { isLongForm } from '@continuo/local-servers/test-form';
import fc from 'fast-check';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseIds } from '../reads/lists/id-list.js';
import type { Viewer } from '../reads/visibility/viewer.js';
import { randomFacts } from '../../test/library/random-facts.js';
import { testReadModel, type TestReadModel } from '../../test/servers/read-model-database.js';
import { seedFacts } from '../../test/library/seed-facts.js';
import { compileSearch } from './compile.js';
import { readLibrary, VisibleLibrary } from '../../test/search/library-model.fixture.js';
import { operators, type Family } from './operators.js';
import type { Logic, SearchRule } from './rule.js';
import { foundByModel } from '../../test/search/rule-model.fixture.js';
import { searchTypes, typeDefinitions, type SearchType } from './search-types.js';

const SEED = 20_261_121;
const NOW_MS = 1_700_000_000_000 + 7 * 86_400_000 + 1;
const viewers: readonly Viewer[] = [
  { userId: 1, catalogs: 'all', isAdministrator: true },
  { userId: 2, catalogs: 'all', isAdministrator: false },
  { userId: 2, catalogs: [1, 2], isAdministrator: false },
  { userId: 1, catalogs: [3], isAdministrator: false },
];

let model: TestReadModel;
const libraries = new Map<Viewer, VisibleLibrary>();

/** Adds what random libraries lack: optional texts, plays by account, pictures, lyrics. */
const enrich = async ({ write, read }: TestReadModel): Promise<void> => {
  const pick = <T>(values: readonly T[], id: number): T => values[id % values.length] as T;
  for (const { id } of await read.selectFrom('library.song').select('id').execute()) {
    const doc: Partial<SongDocument> =
      id % 3 === 0 ? { extraTags: { MOOD: pick(['calm', '12', '-3.5', 'a_b'], id), LEVEL: String(id) } } : {};
    const facts = {
      comment: pick([null, '', 'Live at the Harbour', '100% rain', 'a_b'], id),
      publisher: pick([null, 'North Pier', 'zoe', ''], id),
      bpm: pick([null, 60, 119.5, 120], id),
      mbid: pick([null, `${id}-mb`, ''], id),
      bitrate_bps: pick([128_000, 192_000, 320_000], id),
      doc: JSON.stringify(doc),
    };
    await write.updateTable('library.song').set(facts).where('id', '=', id).execute();
    const line = (text: string) => ({ text });
    const lyrics = [{ lines: [line(pick(['rain', 'north wind'], id)), line('la "la"\n\\')] }, { lines: id % 2 === 0 ? [] : [line('Zoë')] }];
    if (id % 4 === 0)
      await write
        .insertInto('library.song_lyrics')
        .values({ song_id: id, lyrics: JSON.stringify(lyrics) })
        .execute();
    const at = NOW_MS - (id % 9) * 86_400_000;
    const plays = {
      play_count: id % 3,
      skip_count: id % 2,
      last_played_at_ms: id % 3 === 0 ? null : at,
      last_skipped_at_ms: id % 2 === 0 ? null : at - 1,
    };
    if (id % 5 < 3)
      await write
        .insertInto('playback.user_song_plays')
        .values({ user_id: 1 + (id % 2), song_id: id, ...plays })
        .execute();
    const play = { user_id: 1, at_ms: at, skipped: id % 4 === 1, client: '' };
    if (id % 3 > 0)
      await write
        .insertInto('playback.play')
        .values({ id: 1000 - id, song_id: id, ...play })
        .execute();
  }
  for (const { id } of await read.selectFrom('library.album').select('id').execute()) {
    const facts = {
      mbid: pick([null, `${id}-mb`], id),
      mbid_group: pick([null, 'g1', 'g2', `g${id}`], id),
      art_hash: pick([null, 'h1', 'h2', 'h3'], id),
    };
    await write.updateTable('library.album').set(facts).where('id', '=', id).execute();
    await write
      .updateTable('library.artist')
      .set({ mbid: pick([null, 'x', ''], id), art_hash: pick(['h1', null], id) })
      .where('id', '=', id)
      .execute();
  }
  const sizes = [
    { hash: 'h1', width_px: 100, height_px: 200 },
    { hash: 'h2', width_px: null, height_px: null },
    { hash: 'h3', width_px: 12, height_px: 60 },
  ];
  await write
    .insertInto('library.art')
    .values(sizes.map((size) => ({ mime: 'image/png', size_bytes: 1, ...size })))
    .execute();
  await write
    .insertInto('library.mood')
    .values([
      { id: 1, name: 'calm' },
      { id: 2, name: 'North' },
    ])
    .onConflict((row) => row.doNothing())
    .execute();
  const averages = await read
    .selectFrom('social.rating')
    .select([
      'kind',
      'object_id',
      (row) => row.fn.countAll<number>().as('rating_count'),
      (row) => row.fn.sum<number>('rating').as('rating_sum'),
    ])
    .groupBy(['kind', 'object_id'])
    .execute();
  await write.insertInto('social.rating_average').values(averages).execute();
};

beforeAll(async () => {
  model = await testReadModel();
  await seedFacts(model.write as unknown as Kysely<unknown>, randomFacts(SEED, 60));
  await enrich(model);
  const rows = await readLibrary(model.read);
  for (const viewer of viewers) libraries.set(viewer, new VisibleLibrary(rows, viewer));
});
afterAll(() => model.close());

const words = [
  '',
  '%',
  'rain',
  'RAIN',
  'Zoë',
  'zoe',
  'The',
  'the ',
  'an n',
  'n',
  'Harbour',
  '100%',
  'a_b',
  '_',
  'r%n',
  '%%',
  'x\\y',
  "o'clock",
  '🎵',
  'éc',
  'nor',
  '/1/',
  '.flac',
  'calm',
  '12',
];
const text = fc.oneof(
  fc.constantFrom(...words),
  fc.array(fc.constantFrom(...words), { minLength: 2, maxLength: 3 }).map((parts) => parts.join(' ')),
  fc.string({ maxLength: 3, unit: fc.constantFrom('a', 'r', 'n', 'N', '%', '_', ' ', 'é', '1', '\\') }),
);
const regex = fc.constantFrom('rain', '^the', 'n$', '(zo|ra)', '[0-9]+', 'a.b', '^$', 'r.*n', '.');
const number = fc.oneof(fc.integer({ min: -2, max: 12 }), fc.constantFrom(60, 100, 119.5, 128, 192, 1991, 2000)).map(String);
const id = fc.integer({ min: 0, max: 4 }).map(String);
const date = fc.integer({ min: 0, max: 6 }).map((day) => new Date(1_700_000_000_000 + day * 86_400_000).toISOString());

const operandOf = (family: Family, operator: string): fc.Arbitrary<string> => {
  if (operator === 'regexp' || operator === 'notregexp') return regex;
  if (family === 'text' || (family === 'multiple' && !operator.startsWith('number'))) return text;
  if (family === 'date') return date;
  return family === 'boolean_numeric' || family === 'user_numeric' || family === 'boolean_subsearch' ? id : number;
};

const searched = searchTypes.filter((type) => type !== 'tag');
const rows = searched.flatMap((type) => typeDefinitions[type].rules.map(({ name, family }) => ({ type, name, family })));

const ruleOf = ({ name, family }: { name: string; family: Family }, operator: string): fc.Arbitrary<SearchRule> =>
  fc.record({
    name: fc.constant(name),
    operator: fc.constant(operator),
    input: operandOf(family, operator),
    subtype: fc.constantFrom('MOOD', 'LEVEL', 'NONE'),
  });

const agrees = async (type: SearchType, rules: readonly SearchRule[], logic: Logic, viewer: Viewer): Promise<void> => {
  const { statement } = compileSearch(type, rules, logic, { viewer, nowMs: NOW_MS });
  const result = await statement.execute(model.read);
  const library = libraries.get(viewer) as VisibleLibrary;
  expect([...parseIds(result.rows[0]?.ids ?? null)]).toEqual(foundByModel(library, type, rules, { logic, nowMs: NOW_MS }));
};

describe('every rule with every operator is what a plain reading gives', () => {
  it.each(rows)('$type $name', async (row) => {
    for (const operator of operators[row.family]) {
      const property = fc.asyncProperty(ruleOf(row, operator), fc.constantFrom(...viewers), (rule, viewer) =>
        agrees(row.type, [rule], 'and', viewer),
      );
      await fc.assert(property, { numRuns: isLongForm ? 6 : 2, seed: SEED });
    }
  });
});

describe('several rules', () => {
  const anyRule = (type: SearchType): fc.Arbitrary<SearchRule> =>
    fc
      .constantFrom(...typeDefinitions[type].rules)
      .chain((row) => fc.constantFrom(...operators[row.family]).chain((operator) => ruleOf(row, operator)));
  it.each(searched)('%s, joined by and or by or', async (type) => {
    const given = fc.record({
      rules: fc.array(anyRule(type), { minLength: 2, maxLength: 4 }),
      logic: fc.constantFrom<Logic>('and', 'or'),
      viewer: fc.constantFrom(...viewers),
    });
    await fc.assert(
      fc.asyncProperty(given, ({ rules, logic, viewer }) => agrees(type, rules, logic, viewer)),
      { numRuns: isLongForm ? 60 : 20, seed: SEED },
    );
  });
  it('of texts alone, each by its own index', async () => {
    const named = fc.record({
      name: fc.constantFrom('title', 'album', 'song_artist', 'genre', 'comment', 'file'),
      operator: fc.constantFrom('contain', 'start', 'equal'),
      input: text,
      subtype: fc.constant(null),
    });
    const given = fc.record({ rules: fc.array(named, { minLength: 2, maxLength: 4 }), viewer: fc.constantFrom(...viewers) });
    await fc.assert(
      fc.asyncProperty(given, ({ rules, viewer }) => agrees('song', rules, 'or', viewer)),
      { numRuns: isLongForm ? 150 : 50, seed: SEED },
    );
  });
});
