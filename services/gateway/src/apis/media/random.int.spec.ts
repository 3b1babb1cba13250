import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { startPlayback } from '@continuo/contracts';
import { sql } from 'kysely';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomSong, randomSongIn } from '../../reads/songs/random-song.reads.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import { seedFixtureLibrary, type FixtureSong } from '../../../test/library/fixture-library.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';

const commands = new InMemoryCommandClient().handle(startPlayback, async () => ({ result: { recorded: true }, positions: [] }));
let model: TestReadModel;
let gateway: TestGateway;
let music = '';

const song = (title: string, artist: string, more: Partial<FixtureSong> = {}): FixtureSong => ({
  title,
  album: `${artist} album`,
  artists: [artist],
  folder: artist,
  fileName: `${title}.mp3`,
  catalogId: 1,
  ...more,
});
/** Titles are unique, so that an answer tells which song it is. */
const library = [
  song('one', 'Ann', { genres: ['Jazz'] }),
  song('two', 'Ann', { disk: 2, track: 1 }),
  song('three', 'Ben', { genres: ['Jazz', 'Rock'], albumDoc: { recordLabels: ['Small Label'] } }),
  song('four', 'Cat', { catalogId: 2, albumArtists: ['Dan'] }),
];

beforeAll(async () => {
  music = await mkdtemp(join(tmpdir(), 'gateway-random-'));
  model = await testReadModel();
  await seedFixtureLibrary(model.write, library);
  await seedTestAccounts(model.write);
  gateway = await startTestGateway(model.read, { commands });
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
  await rm(music, { recursive: true, force: true });
});

const viewer: Viewer = { userId: 2, catalogs: 'all' };
const idOf = async (table: 'artist' | 'album' | 'genre' | 'label', name: string): Promise<number> => {
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(`library.${table}`)} where name = ${name}`.execute(model.read);
  return rows[0]?.id ?? 0;
};
const titleOf = async (id: number | undefined): Promise<string | undefined> =>
  id === undefined
    ? undefined
    : (await sql<{ title: string }>`select title from library.song where id = ${id}`.execute(model.read)).rows[0]?.title;
/** Marker of an empty answer. */
const NONE = 'none';
/** All titles that many tries give. */
const titles = async (pick: () => Promise<number | undefined>): Promise<string[]> => {
  const found = new Set<string>();
  for (let n = 0; n < 40; n += 1) found.add((await titleOf(await pick())) ?? NONE);
  return [...found].toSorted((one, other) => (one < other ? -1 : 1));
};

describe('a random song', () => {
  it('comes from all that the viewer sees', async () => {
    expect(await titles(() => randomSong(model.read, viewer))).toEqual(['four', 'one', 'three', 'two']);
    expect(await titles(() => randomSong(model.read, { ...viewer, catalogs: [2] }))).toEqual(['four']);
    expect(await titles(() => randomSong(model.read, { ...viewer, catalogs: [] }))).toEqual([NONE]);
  });
  it('comes from its container', async () => {
    const ann = await idOf('artist', 'Ann');
    const album = await idOf('album', 'Ann album');
    const picks = async (container: Parameters<typeof randomSongIn>[1], id: number, who = viewer) =>
      titles(() => randomSongIn(model.read, container, id, who));
    expect(await picks('artist', ann)).toEqual(['one', 'two']);
    expect(await picks('album', album)).toEqual(['one', 'two']);
    expect(await picks('album_disk', album * 256 + 2)).toEqual(['two']);
    expect(await picks('song_artist', await idOf('artist', 'Cat'))).toEqual(['four']);
    expect(await picks('album_artist', await idOf('artist', 'Cat'))).toEqual([NONE]);
    expect(await picks('album_artist', await idOf('artist', 'Dan'))).toEqual(['four']);
    expect(await picks('artist', await idOf('artist', 'Dan'))).toEqual(['four']);
    expect(await picks('genre', await idOf('genre', 'Jazz'))).toEqual(['one', 'three']);
    expect(await picks('label', await idOf('label', 'Small Label'))).toEqual(['three']);
    expect(await picks('catalog', 2)).toEqual(['four']);
    expect(await picks('catalog', 2, { ...viewer, catalogs: [1] })).toEqual([NONE]);
    expect(await picks('artist', await idOf('artist', 'Cat'), { ...viewer, catalogs: [1] })).toEqual([NONE]);
  });
});

describe('random', () => {
  const call = (query: string, version = '8.0.0') =>
    gateway.app.inject({
      url: `/server/json.server.php?action=random&version=${version}&${query}`,
      headers: { authorization: `Bearer ${testAccounts.listener.token}` },
    });
  beforeAll(async () => {
    await sql`update library.catalog set path = ${music}`.execute(model.write);
    const { rows } = await sql<{ id: number; file: string }>`
      select id, doc::jsonb ->> 'path' as file from library.song`.execute(model.write);
    for (const { file } of rows) {
      await mkdir(dirname(join(music, file)), { recursive: true });
      await writeFile(join(music, file), `bytes of ${file}`);
    }
    const one = rows.find(({ file }) => file.endsWith('one.mp3'))?.id;
    const two = rows.find(({ file }) => file.endsWith('two.mp3'))?.id;
    await sql`insert into social.user_flag (user_id, kind, object_id, flagged_at_ms) values (2, 'song', ${one}, 1), (2, 'song', 999, 1)`.execute(
      model.write,
    );
    await sql`insert into social.rating (user_id, kind, object_id, rating, rated_at_ms) values (2, 'song', ${two}, 4, 1)`.execute(
      model.write,
    );
  });
  it.each([
    ['type=favorite', 'one'],
    ['type=favorite&filter=1', 'one'],
    ['type=rating', 'two'],
    ['type=rating&filter=4', 'two'],
    ['type=catalog&filter=2', 'four'],
  ])('sends the bytes for %s', async (query, title) => {
    const answer = await call(query);
    expect([answer.statusCode, answer.body.endsWith(`${title}.mp3`)]).toEqual([200, true]);
  });
  it('leaves out what it is asked to', async () => {
    for (let n = 0; n < 15; n += 1) {
      expect((await call('type=favorite&filter=0')).body).not.toContain('one');
      expect((await call('type=rating&filter=0')).body).not.toContain('two');
    }
  });
  it.each([
    ['type=rating&filter=5', 404, '4704'],
    ['type=album&filter=999', 404, '4704'],
    ['type=album&filter=x', 404, '4704'],
    ['type=album', 400, '4710'],
    ['type=rating&filter=6', 400, '4710'],
    ['type=favorite&filter=yes', 400, '4710'],
    ['type=nothing', 400, '4710'],
    ['type=playlist&filter=1', 404, '4704'],
    ['type=video', 404, '4704'],
  ])('refuses %s', async (query, status, code) => {
    const answer = await call(query);
    expect([answer.statusCode, answer.json<{ error: { errorCode: string } }>().error.errorCode]).toEqual([status, code]);
  });
  it('is also behind play addresses', async () => {
    const url = `/play/index.php?ssid=${testAccounts.listener.token}&type=song&random=1`;
    expect((await gateway.app.inject({ url: `${url}&random_type=catalog&random_id=2` })).body).toContain('four');
    expect((await gateway.app.inject({ url })).statusCode).toBe(200);
    expect((await gateway.app.inject({ url: `${url}&random_type=album&random_id=999` })).statusCode).toBe(404);
  });
  it('is unknown to older versions', async () => expect((await call('', '6.0.0')).json()).toMatchObject({ error: { errorCode: '4705' } }));
  it('counts as a play, unless that is not wanted', async () => {
    const before = commands.sent.length;
    await call('type=favorite&stats=0');
    expect(commands.sent).toHaveLength(before);
    await call('type=rating');
    await call('type=favorite');
    expect(commands.sent.length).toBeGreaterThan(before);
  });
});
