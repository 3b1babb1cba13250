import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';

let model: TestReadModel;
let gateway: TestGateway;
beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedTestAccounts(model.write);
  gateway = await startTestGateway(model.read);
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
});

interface Answer {
  readonly total_count?: number;
  readonly error?: { readonly errorCode: string; readonly errorType: string; readonly errorMessage: string };
  readonly [kind: string]: unknown;
}

const ask = async (params: Record<string, string>): Promise<Answer> => {
  const answer = await gateway.app.inject({
    method: 'POST',
    url: '/server/json.server.php',
    headers: { authorization: `Bearer ${testAccounts.admin.token}`, 'content-type': 'application/json' },
    payload: JSON.stringify({ version: '8.0.0', ...params }),
  });
  expect(answer.statusCode).toBe(200);
  return answer.json<Answer>();
};

const idsIn = (answer: Answer, kind: string): string[] => ((answer[kind] ?? []) as { id: string }[]).map(({ id }) => id);

const lists = [
  { action: 'songs', kind: 'song' },
  { action: 'albums', kind: 'album' },
  { action: 'artists', kind: 'artist' },
  { action: 'genres', kind: 'genre' },
] as const;
const names = [
  'alpha_match',
  'equal',
  'starts_with',
  'not_like',
  'regex_match',
  'regex_not_match',
  'artist',
  'catalog',
  'genre',
  'id',
  'user_flag',
  'add_gt',
  'anywhere',
];
const hostile = fc.oneof(
  fc.constantFrom(
    "'",
    '%',
    '_',
    '\\',
    '\0',
    'a\0b',
    '|',
    '🎵',
    '\ud800',
    '(a+)+$',
    '((((',
    '[',
    '*',
    '&#59;',
    '&quot;',
    '1e400',
    '-',
    'x'.repeat(100_000),
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
);

describe('conditions that clients make up', () => {
  it('never fail, and never find more than there is', async () => {
    for (const { action, kind } of lists) {
      const everything = new Set(idsIn(await ask({ action }), kind));
      const property = fc.asyncProperty(fc.constantFrom(...names), hostile, fc.boolean(), async (name, value, asFilter) => {
        const answer = await ask(asFilter ? { action, filter: value } : { action, cond: `${name},${value}`, sort: `${value},${value}` });
        expect([undefined, '4710']).toContain(answer.error?.errorCode);
        for (const id of idsIn(answer, kind)) expect(everything).toContain(id);
      });
      await fc.assert(property, { numRuns: 60, seed: 3 });
    }
  });
  it('say why they are refused', async () => {
    const { error } = await ask({ action: 'songs', cond: 'regex_match,((' });
    expect(error).toMatchObject({ errorCode: '4710', errorType: 'cond', errorMessage: 'Bad Request: cond: not a regular expression' });
    const large = await ask({ action: 'songs', cond: 'regex_match,((a{200}){200})' });
    expect(large.error).toMatchObject({ errorCode: '4710', errorType: 'cond', errorMessage: expect.stringContaining('more than 1000') });
  });
});

describe('conditions beside the method', () => {
  it('replace its own of the same name, and join with others', async () => {
    const own = await ask({ action: 'genre_songs', filter: '1' });
    const other = await ask({ action: 'genre_songs', filter: '1', cond: 'tag,2' });
    expect(idsIn(other, 'song')).toEqual(idsIn(await ask({ action: 'genre_songs', filter: '2' }), 'song'));
    expect(idsIn(other, 'song')).not.toEqual(idsIn(own, 'song'));
    expect(idsIn(await ask({ action: 'genre_songs', filter: '1', cond: 'no_genre,' }), 'song')).toEqual(['4']);
    expect(idsIn(await ask({ action: 'songs', cond: 'catalog,1;artist,1', sort: 'id,desc' }), 'song')).toEqual(['2', '1']);
  });
  it('are not known to versions before 6, but for albums', async () => {
    const conditions = { cond: 'catalog,2', sort: 'id,desc' };
    for (const version of ['5.0.0', '440001', '390001']) {
      const format = version === '390001' ? 'xml' : 'json';
      const text = async (params: Record<string, string>) =>
        (
          await gateway.app.inject({
            url: `/server/${format}.server.php?${new URLSearchParams({ version, ...params }).toString()}`,
            headers: { authorization: `Bearer ${testAccounts.admin.token}` },
          })
        ).body;
      expect(await text({ action: 'songs', ...conditions })).toBe(await text({ action: 'songs' }));
      expect(await text({ action: 'albums', ...conditions })).not.toBe(await text({ action: 'albums' }));
    }
  });
  it('may be written with HTML entities', async () => {
    const plain = idsIn(await ask({ action: 'songs', cond: 'alpha_match,o;regex_match,g$' }), 'song');
    expect(plain.length).toBeGreaterThan(0);
    expect(idsIn(await ask({ action: 'songs', cond: 'alpha_match&#44;o&#x3B;regex_match&#44;g&#36;' }), 'song')).toEqual(plain);
    expect(idsIn(await ask({ action: 'songs', cond: 'alpha_match,&lt;&constructor;&#99999999;' }), 'song')).toEqual([]);
  });
  it('show hidden genres only to who asks for them', async () => {
    await sql`update library.genre set hidden = true where id = 2`.execute(model.write);
    await sql`update library.counter set version = version + 1 where kind = 'genre'`.execute(model.write);
    expect(idsIn(await ask({ action: 'genres' }), 'genre')).not.toContain('2');
    expect(idsIn(await ask({ action: 'genres', cond: 'hidden,0' }), 'genre')).not.toContain('2');
    expect(idsIn(await ask({ action: 'genres', cond: 'hidden,1' }), 'genre')).toEqual(['2']);
    await sql`update library.genre set hidden = false where id = 2`.execute(model.write);
    await sql`update library.counter set version = version + 1 where kind = 'genre'`.execute(model.write);
  });
  it('find nothing by `id`, and ignore what is unknown', async () => {
    expect(await ask({ action: 'songs', cond: 'id,1' })).toMatchObject({
      total_count: 0,
      song: [],
      md5: '40cd750bba9870f18aada2478b24840a',
    });
    expect(await ask({ action: 'songs', cond: 'colour,red;folder,1', sort: 'colour' })).toEqual(await ask({ action: 'songs' }));
  });
});
