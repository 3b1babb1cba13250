import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startService, type Environment, type ServiceDefinition, type StartedService } from '@continuo/chassis';
import { addPlaylistMembers, changePlaylist, deletePlaylist, playlistId, type ReadModel } from '@continuo/contracts';
import { ingestionService } from '@continuo/ingestion';
import { libraryService } from '@continuo/library';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type SpecGateway, runCli } from '../../test/index.js';

const run = promisify(execFile);

let nats: TestNats;
let postgres: TestPostgres;
let home: string;
let env: Environment;
let gateway: SpecGateway;
let db: Kysely<ReadModel>;
const services: StartedService[] = [];

const song = async (path: string, title: string, seconds: number): Promise<void> => {
  const target = join(home, 'music', path);
  await mkdir(join(target, '..'), { recursive: true });
  const source = `sine=frequency=${200 + seconds * 40}:duration=${seconds}`;
  const tags = ['-metadata', `title=${title}`, '-metadata', 'artist=Ada', '-metadata', 'album=Works'];
  await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, ...tags, '-y', target]);
};
let written = 0;
const put = async (path: string, content: string): Promise<void> => {
  const target = join(home, 'music', path);
  await mkdir(join(target, '..'), { recursive: true });
  await writeFile(target, content);
  // Two writings within a millisecond of the same length must differ.
  written += 1;
  await utimes(target, new Date(), new Date(1_700_000_000_000 + written * 1000));
};

beforeAll(async () => {
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
  home = await realpath(await mkdtemp(join(tmpdir(), 'continuo-scanned-lists-')));
  env = { DATABASE_URL: postgres.url, NATS_URL: nats.url };
  const settings = {
    ...env,
    CONTINUO_SECRET: 'x'.repeat(32),
    CONTINUO_DATA: join(home, '.data'),
    LOG_LEVEL: 'silent',
    SCAN_PLAYLISTS: 'on',
  };
  const definitions = [libraryService, ingestionService] as readonly unknown[];
  for (const definition of definitions) services.push(await startService(definition as ServiceDefinition, settings));
  gateway = await startGateway(settings);
  env = { ...env, ...gateway.env };
  db = services[0]?.deps.db as unknown as Kysely<ReadModel>;
  await song('Ada/one.mp3', 'One', 1);
  await song('Ada/two.mp3', 'Two', 2);
  await put('lists/evening.m3u8', '#EXTM3U\n#PLAYLIST:Evening\n../Ada/two.mp3\n../Ada/one.mp3\n#EXTINF:3,Ada - Three\n../Ada/three.mp3\n');
  await put('lists/stream.m3u8', '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n0.ts\n');
  await put('lists/nowhere.pls', '[playlist]\nFile1=D:\\x.mp3\n');
  await put('broken.xspf', '<playlist><!DOCTYPE x>');
  await runCli(env, 'catalog', 'add', join(home, 'music'));
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all(services.map((service) => service.stop()));
  await Promise.all([nats.stop(), postgres.stop(), rm(home, { recursive: true, force: true })]);
});

const scan = async (): Promise<string> => {
  const { out, err, exitCode } = await runCli(env, 'scan', 'music');
  expect({ err, exitCode }).toMatchObject({ exitCode: 0 });
  return out;
};
const lists = () =>
  db.selectFrom('library.playlist').select(['id', 'name', 'is_public', 'owner_id', 'member_count', 'revision']).orderBy('id').execute();
const titles = async (id: number): Promise<string[]> =>
  (
    await db
      .selectFrom('library.playlist_member as m')
      .innerJoin('library.song as s', 's.id', 'm.object_id')
      .select('s.title')
      .where('m.playlist_id', '=', id)
      .orderBy('m.rank')
      .execute()
  ).map((row) => row.title);
const outcomeOf = async (path: string): Promise<unknown> => {
  const row = await db.selectFrom('ingestion.playlist_file').selectAll().where('path', '=', path).executeTakeFirst();
  return row && [row.outcome, row.playlist_id, row.entry_count, row.song_count];
};
const byHand = { actor: 'user:1', correlationId: randomUUID(), causationId: 'spec' };
const commands = () => (services[0] as StartedService).deps.commands;

describe('a scan', () => {
  it('makes public lists of nobody of the files that it meets, and says what it cannot use', async () => {
    const out = await scan();
    expect(await lists()).toMatchObject([{ id: 1, name: 'Evening', is_public: true, owner_id: null, member_count: 2 }]);
    expect(await titles(1)).toEqual(['Two', 'One']);
    expect(out).toContain('lists/nowhere.pls: none of its entries is in the library');
    expect(out).toContain('broken.xspf: The document');
    expect(out).not.toContain('stream.m3u8');
    expect(await outcomeOf('lists/evening.m3u8')).toEqual(['imported', 1, 3, 2]);
    expect(await outcomeOf('lists/nowhere.pls')).toEqual(['nothing-found', null, 1, 0]);
    const files = (await runCli(env, 'playlist', 'files')).out;
    expect(files).toMatch(/music +lists\/evening\.m3u8 +1 +3 +2 +as the file says/);
    expect((await runCli(env, 'playlist', 'missing', 'lists/evening.m3u8')).out).toMatch(
      /1 of 3 entries have no song\.\n.*\n.*3 +\.\.\/Ada\/three\.mp3 +Ada - Three/,
    );
  });

  it('does nothing when nothing has changed', async () => {
    const before = await lists();
    await scan();
    expect(await lists()).toEqual(before);
  });

  it('completes a list when its song comes', async () => {
    await song('Elsewhere/3.mp3', 'Three', 3);
    await scan();
    expect(await titles(1)).toEqual(['Two', 'One', 'Three']);
    expect(await outcomeOf('lists/evening.m3u8')).toEqual(['imported', 1, 3, 3]);
  });

  it('follows a changed file, and a moved one, into the same list', async () => {
    await put('lists/evening.m3u8', '#EXTM3U\n#PLAYLIST:Another name\n../Ada/one.mp3\n../Ada/one.mp3\n');
    await scan();
    expect(await titles(1)).toEqual(['One', 'One']);
    await rename(join(home, 'music/lists'), join(home, 'music/Lists of mine'));
    await scan();
    expect(await lists()).toMatchObject([{ id: 1, name: 'Evening' }]);
    expect(await outcomeOf('Lists of mine/evening.m3u8')).toEqual(['imported', 1, 2, 2]);
    expect(await outcomeOf('lists/evening.m3u8')).toBeUndefined();
  });

  it('leaves a renamed list its name and still keeps its songs', async () => {
    await commands().send(changePlaylist, { playlistId: playlistId.parse(1), name: 'By hand', isPublic: false }, byHand);
    await put('Lists of mine/evening.m3u8', '../Ada/two.mp3\n');
    await scan();
    expect(await lists()).toMatchObject([{ id: 1, name: 'By hand', is_public: false }]);
    expect(await titles(1)).toEqual(['Two']);
  });

  it('never overwrites what people have changed, and says so', async () => {
    await commands().send(addPlaylistMembers, { playlistId: playlistId.parse(1), members: [{ objectIds: [1] }] }, byHand);
    await put('Lists of mine/evening.m3u8', '../Ada/one.mp3\n');
    expect(await scan()).toContain('was changed by hand and is left as it is');
    expect(await titles(1)).toHaveLength(2);
    expect(await outcomeOf('Lists of mine/evening.m3u8')).toMatchObject(['edited', 1, 1, 1]);
  });

  it('does not bring a deleted list back, and keeps one whose file is gone', async () => {
    await put('late.m3u', 'Ada/one.mp3\n');
    await scan();
    expect(await lists()).toMatchObject([{ id: 1 }, { id: 2, name: 'late' }]);
    await rm(join(home, 'music/late.m3u'));
    await scan();
    expect(await titles(2)).toEqual(['One']);
    await commands().send(deletePlaylist, { playlistId: playlistId.parse(1) }, byHand);
    await put('Lists of mine/evening.m3u8', '../Ada/two.mp3\n../Ada/one.mp3\n');
    expect(await scan()).toContain('was deleted by hand');
    expect(await lists()).toMatchObject([{ id: 2 }]);
  });
});
