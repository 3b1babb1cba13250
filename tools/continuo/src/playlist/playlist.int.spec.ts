import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type Environment, type StartedService } from '@continuo/chassis';
import {
  addCatalog,
  playlistId,
  recordFolder,
  registerUser,
  removePlaylistMembers,
  scannedTrack,
  type ReadModel,
  type ScannedTrack,
} from '@continuo/contracts';
import { libraryService } from '@continuo/library';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { matchSongs, type PlaylistFileEntry, type PlaylistFormat } from '@continuo/playlist-files';
import { socialService } from '@continuo/social';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCli, startGateway, type CliRun, type SpecGateway } from '../../test/index.js';

let nats: TestNats;
let postgres: TestPostgres;
let home: string;
let env: Environment;
let library: StartedService;
let social: StartedService;
let gateway: SpecGateway;
let db: Kysely<ReadModel>;

const plain = { sizeBytes: 1, mtimeMs: 1, format: 'mp3', mime: 'audio/mpeg', bitrateBps: 1, sampleRateHz: 1, genres: [], moods: [] };
interface Tags {
  readonly artist?: string;
  readonly albumArtist?: string;
  readonly album?: string;
  readonly durationMs?: number;
  readonly mbRecordingId?: string;
}
const track = (fileName: string, title: string, tags: Tags = {}): ScannedTrack =>
  scannedTrack.parse({
    ...plain,
    fileName,
    digest: fileName,
    title,
    durationMs: tags.durationMs ?? 180_000,
    artists: [{ name: tags.artist ?? 'Ada' }],
    albumArtists: [{ name: tags.albumArtist ?? tags.artist ?? 'Ada' }],
    album: { name: tags.album ?? 'Works' },
    ...(tags.mbRecordingId === undefined ? {} : { mbRecordingId: tags.mbRecordingId }),
  });

const RECORDING = '00000000-0000-4000-8000-000000000007';
/** Songs by folder; numbers count up in this order. */
const folders: readonly (readonly [path: string, tracks: readonly ScannedTrack[]])[] = [
  ['Rock/Ada/Works', [track('01 Opening.mp3', 'Opening'), track('02 The End.mp3', 'The End', { durationMs: 90_000 })]],
  ['Rock/Bob/Works', [track('01 Opening.mp3', 'Opening', { artist: 'Bob' })]],
  ['Müsik', [track('Ängste.mp3', 'Ängste', { artist: 'Die Ärzte' }), track('Кино.mp3', 'Группа крови', { artist: 'Кино' })]],
  ['Live', [track('end.mp3', 'The End', { durationMs: 600_000, album: 'On Stage' }), track('100% %20.mp3', 'Percent')]],
  [
    'Guests',
    [track('g.mp3', 'Duet', { artist: 'Cyd', albumArtist: 'Various' }), track('r.mp3', 'Named by number', { mbRecordingId: RECORDING })],
  ],
];

/** Waits for what the projections show within milliseconds. */
const until = (isSo: () => Promise<boolean>): Promise<void> =>
  vi.waitFor(async () => {
    if (!(await isSo())) throw new Error('not yet');
  }, 20_000);

beforeAll(async () => {
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
  home = await realpath(await mkdtemp(join(tmpdir(), 'continuo-playlists-')));
  env = { DATABASE_URL: postgres.url, NATS_URL: nats.url };
  const settings = {
    ...env,
    CONTINUO_SECRET: 'x'.repeat(32),
    CONTINUO_DATA: join(home, '.data'),
    CONTINUO_ADMIN_PASSWORD: 'secret',
    LOG_LEVEL: 'silent',
  };
  library = await startService(libraryService, settings);
  social = await startService(socialService, settings);
  gateway = await startGateway(settings);
  env = gateway.env;
  db = library.deps.db;
  await mkdir(join(home, 'music/Rock/lists'), { recursive: true });
  const { commands } = library.deps;
  const context = { actor: 'system', correlationId: randomUUID(), causationId: 'spec' };
  const { result } = await commands.send(addCatalog, { name: 'music', path: join(home, 'music') }, context);
  for (const [path, tracks] of folders)
    await commands.send(recordFolder, { catalogId: result.catalogId, path, tracks: [...tracks] }, context);
  await social.deps.commands.send(
    registerUser,
    { username: 'ada', password: 'secret', access: 25 },
    { actor: 'system', correlationId: randomUUID(), causationId: 'spec' },
  );
  await until(async () => (await db.selectFrom('library.song').select('id').execute()).length === 9);
  await until(async () => (await db.selectFrom('social.user').select('id').where('username', '=', 'ada').execute()).length === 1);
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([library.stop(), social.stop()]);
  await Promise.all([nats.stop(), postgres.stop(), rm(home, { recursive: true, force: true })]);
});

const cli = (...args: string[]): Promise<CliRun> => runCli(env, 'playlist', ...args);
const put = async (path: string, content: string | Uint8Array): Promise<string> => {
  const target = join(home, path);
  await writeFile(target, content);
  return target;
};
const songsOf = async (id: number): Promise<number[]> =>
  (await db.selectFrom('library.playlist_member').select('object_id').where('playlist_id', '=', id).orderBy('rank').execute()).map(
    (row) => row.object_id,
  );

describe('matchSongs', () => {
  const matched = async (
    entry: Partial<PlaylistFileEntry> | string,
    folder = 'music/Rock/lists',
    format: PlaylistFormat = 'm3u',
  ): Promise<unknown> => {
    const whole = typeof entry === 'string' ? { locations: [entry] } : { locations: [], ...entry };
    const [match] = await matchSongs(db, [whole], { folder: join(home, folder), format });
    return match?.songId === undefined ? match?.reason : [match.songId, match.by];
  };

  it.each([
    ['from the folder of the list', '../Ada/Works/01 Opening.mp3', [1, 'path']],
    ['with the separators of Windows', '..\\Bob\\Works\\01 Opening.mp3', [3, 'path']],
    ['from the root of the catalog', 'Rock/Bob/Works/01 Opening.mp3', [3, 'path']],
    ['from the root of the catalog, with a slash in front', '/Live/end.mp3', [6, 'path']],
    ['of another machine', '/mnt/nas/media/Rock/Ada/Works/02 The End.mp3', [2, 'path-end']],
    ['of Windows', 'D:\\Music\\Rock\\Bob\\WORKS\\01 opening.MP3', [3, 'path-end']],
    ['of which several have the end', 'E:\\Works\\01 Opening.mp3', 'several'],
    ['in the other form of Unicode', 'Müsik/Ängste.mp3'.normalize('NFD'), [4, 'path']],
    ['with percent signs of its own', '/Live/100% %20.mp3', [7, 'path']],
    ['by its file alone, where only one has the name', 'C:\\Old\\Place\\02 the end.mp3', [2, 'file-name']],
    ['but not by a file name that says nothing', 'C:\\Old\\Place\\01.mp3', 'not-found'],
    ['that leads out of the catalog', '../../../../etc/passwd', 'not-found'],
    ['that is no path', 'https://radio.example/stream.mp3', 'remote'],
  ])('a path %s', async (_name, location, expected) => {
    expect(await matched(location)).toEqual(expected);
  });

  it('takes URIs apart', async () => {
    expect(await matched(`file://${home}/music/M%C3%BCsik/%C3%84ngste.mp3`)).toEqual([4, 'path']);
    expect(await matched('../../Live/100%25%20%2520.mp3', 'music/Rock/lists', 'xspf')).toEqual([7, 'path']);
  });

  it.each([
    ['artist and title', { artist: 'ADA', title: 'opening' }, [1, 'tags']],
    ['both in one text', { title: 'Die Arzte - angste' }, [4, 'tags']],
    ['the artist of the album', { artist: 'Various', title: 'Duet' }, [8, 'tags']],
    ['guests', { artist: 'Cyd feat. Dan', title: 'Duet (ft. Eve)' }, [8, 'tags']],
    ['the length, of several', { artist: 'Ada', title: 'The End', durationMs: 598_000 }, [6, 'tags']],
    ['the album, of several', { artist: 'Ada', title: 'The End', album: 'on stage' }, [6, 'tags']],
    ['another length altogether', { artist: 'Bob', title: 'Opening', durationMs: 900_000 }, 'not-found'],
    ['title and length', { title: 'Duet', durationMs: 181_000 }, [8, 'title']],
    ['title and length of several', { title: 'Opening', durationMs: 181_000 }, 'not-found'],
    ['the recording', { identifiers: [`https://musicbrainz.org/recording/${RECORDING}`] }, [9, 'recording']],
    ['nothing', {}, 'says-nothing'],
    ['a stream that is known by its tags', { locations: ['http://x.example/1'], artist: 'Bob', title: 'Opening' }, [3, 'tags']],
  ])('what is said of the music: %s', async (_name, entry, expected) => {
    expect(await matched(entry)).toEqual(expected);
  });
});

describe('continuo playlist import', () => {
  it('makes a list, repeats and order included, and reports what is lacking', async () => {
    const list = await put(
      'music/Rock/lists/Evening.m3u8',
      '#EXTM3U\n#PLAYLIST:Evening songs\n../Bob/Works/01 Opening.mp3\n#EXTINF:-1,Ada - Opening\nC:\\gone.mp3\n../Bob/Works/01 Opening.mp3\nhttp://x.example/s\nmissing.mp3\n',
    );
    const rest = join(home, 'rest.m3u8');
    const { out, exitCode } = await cli('import', list, '--owner', 'ada', '--unmatched', rest);
    expect(exitCode).toBe(0);
    expect(out).toContain('Evening.m3u8: m3u8, utf-8, 3 of 5 entries found (2 by path, 1 by artist and title).');
    expect(out).toMatch(/4 +http:\/\/x\.example\/s +elsewhere on the network/);
    expect(out).toMatch(/5 +missing\.mp3 +no such song/);
    expect(out).toMatch(/Playlist 1 "Evening songs" of ada holds 3 songs\./);
    expect(await songsOf(1)).toEqual([3, 1, 3]);
    expect((await readFile(rest, 'utf8')).split('\n').slice(2)).toEqual(['http://x.example/s', 'missing.mp3', '']);
    expect((await cli('list')).out).toMatch(/1 +Evening songs +ada +3 +private/);
  });

  it('does not make a second one by mistake', async () => {
    const list = join(home, 'music/Rock/lists/Evening.m3u8');
    expect(await cli('import', list, '--owner', 'ada')).toMatchObject({ exitCode: 1, err: expect.stringContaining('--into 1') as string });
    expect((await cli('import', list, '--owner', 'ada', '--into', 'evening SONGS')).out).toContain('holds 3 songs now, in place of 3');
    expect((await cli('import', list, '--owner', 'ada', '--add-to', '1')).out).toContain('has 3 songs more');
    expect(await songsOf(1)).toEqual([3, 1, 3, 3, 1, 3]);
    expect((await cli('import', list, '--owner', 'ada', '--again', '--dry-run')).out).not.toContain('Playlist');
  });

  it('finds out an old character set by the names of the files', async () => {
    const western = await put('music/old.m3u', Buffer.from('M\xfcsik\\\xc4ngste.mp3\r\n', 'latin1'));
    expect((await cli('import', western, '--owner', 'system', '--name', 'West')).out).toContain(
      'windows-1252, 1 of 1 entry found (1 by path)',
    );
    const cyrillic = await put('music/kino.m3u', Buffer.concat([Buffer.from([0xca, 0xe8, 0xed, 0xee]), Buffer.from('.mp3\n')]));
    expect((await cli('import', cyrillic, '--owner', 'system', '--name', 'East')).out).toContain('windows-1251, 1 of 1 entry found');
    expect((await cli('list')).out).toMatch(/East +System +1 +public/);
  });

  it('refuses what is no playlist, and imports nothing when nothing is found', async () => {
    const binary = await put('song.m3u', Buffer.from([0xff, 0xfb, 0, 0]));
    const refused = await cli('import', binary, '--owner', 'ada');
    expect(refused).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/^Error: .*song\.m3u: .*binary.*is it really a playlist/) as string,
    });
    const strange = await put('strange.m3u', 'nowhere.mp3\n');
    expect(await cli('import', strange, '--owner', 'ada')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('Nothing was imported') as string,
    });
    expect(await cli('import', join(home, 'none.m3u'), '--owner', 'ada')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('cannot be read') as string,
    });
    expect(await cli('import', strange, '--owner', 'nobody')).toMatchObject({ exitCode: 1 });
  });
});

describe('continuo playlist export', () => {
  it.each(['m3u', 'm3u8', 'pls', 'xspf'] as const)('writes %s from which the same list comes again', async (format) => {
    const all = await put(
      'music/all.m3u',
      folders.flatMap(([path, tracks]) => tracks.map(({ fileName }) => `${path}/${fileName}`)).join('\n'),
    );
    const made = await cli('import', all, '--owner', 'ada', '--name', `All ${format}`);
    const id = Number(/Playlist (\d+)/.exec(made.out)?.[1]);
    const target = join(home, 'music', `out.${format}`);
    expect((await cli('export', String(id), '--to', target)).out).toContain('9 songs in');
    const back = await cli('import', target, '--owner', 'ada', '--name', `Back ${format}`);
    expect(back.out).toContain('9 of 9 entries found (9 by path)');
    expect(await songsOf(Number(/Playlist (\d+)/.exec(back.out)?.[1]))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('writes to the terminal with paths from the root, and never over a file by itself', async () => {
    const { out } = await cli('export', 'West');
    expect(out).toBe(
      `#EXTM3U\n#EXTENC:UTF-8\n#PLAYLIST:West\n#EXTINF:180,Die Ärzte - Ängste\n#EXTART:Die Ärzte\n#EXTALB:Works\n${home}/music/Müsik/Ängste.mp3`,
    );
    const target = join(home, 'music/out.pls');
    expect(await cli('export', 'West', '--to', target)).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('--overwrite') as string,
    });
    expect((await cli('export', 'West', '--to', target, '--overwrite', '--windows')).exitCode).toBe(0);
    expect(await readFile(target, 'utf8')).toContain('File1=Müsik\\Ängste.mp3');
    expect(await cli('export', 'Nothing')).toMatchObject({ exitCode: 1, err: expect.stringContaining('there is no playlist') as string });
  });

  it('writes all into a folder', async () => {
    const context = { actor: 'system', correlationId: randomUUID(), causationId: 'spec' };
    await library.deps.commands.send(removePlaylistMembers, { playlistId: playlistId.parse(1), entries: [1] }, context);
    const folder = join(home, 'lists');
    expect((await cli('export', 'all', '--to', folder, '--format', 'xspf')).exitCode).toBe(0);
    expect(await readFile(join(folder, 'Evening songs.xspf'), 'utf8')).toContain(
      '<location>../music/Rock/Ada/Works/01%20Opening.mp3</location>',
    );
  });
});
