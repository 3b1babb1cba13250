import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runCli } from '@continuo/continuo-cli/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administrator, Journey } from './journey.js';

const run = promisify(execFile);
/** Three tones of these lengths make the file. */
const LENGTHS_S = [3, 4, 5];
const RATE_HZ = 44_100;
const FRAME_BYTES = 4;

interface Song {
  readonly id: string;
  readonly title: string;
  readonly track: number;
  readonly duration: number;
  readonly suffix: string;
  readonly userRating?: number;
}

let journey: Journey;
let album: string;
let whole: Buffer;

const compat = async (operation: string, query: Record<string, string> = {}): Promise<Response> =>
  journey.request(`/rest/${operation}.view`, { apiKey: administrator.apiKey, v: '1.16.1', c: 'cue', f: 'json', ...query });
const songs = async (): Promise<Song[]> => {
  const body = (await (await compat('search3', { query: '', songCount: '50' })).json()) as {
    'subsonic-response': { searchResult3: { song?: Song[] } };
  };
  return (body['subsonic-response'].searchResult3.song ?? []).toSorted((a, b) => a.track - b.track);
};

/** Samples of a file or answer, 16 bits in two channels. */
const decoded = async (path: string): Promise<Buffer> => {
  const args = ['-hide_banner', '-loglevel', 'error', '-i', path, '-f', 's16le', '-ac', '2', '-ar', String(RATE_HZ), '-'];
  return (await run('ffmpeg', args, { encoding: 'buffer', maxBuffer: 50_000_000 })).stdout;
};
const heard = async (answer: Response, suffix: string): Promise<Buffer> => {
  expect(answer.status).toBe(200);
  const path = join(journey.folder, `heard.${suffix}`);
  await writeFile(path, Buffer.from(await answer.arrayBuffer()));
  return decoded(path);
};
const digest = (bytes: Buffer): string => createHash('sha1').update(bytes).digest('hex');
const slice = (number: number): Buffer => {
  const start = LENGTHS_S.slice(0, number - 1).reduce((sum, length) => sum + length, 0);
  const at = (seconds: number): number => seconds * RATE_HZ * FRAME_BYTES;
  return whole.subarray(at(start), at(start + (LENGTHS_S[number - 1] ?? 0)));
};

const sheet = (titles: readonly string[]): string => {
  const starts = [0, 3, 7];
  const tracks = titles.map((title, at) => `  TRACK 0${at + 1} AUDIO\n    TITLE "${title}"\n    INDEX 01 00:0${starts[at]}:00\n`);
  return `PERFORMER "Somebody"\nTITLE "One file"\nFILE "disc.flac" WAVE\n${tracks.join('')}`;
};

beforeAll(async () => {
  journey = await Journey.prepare();
  album = join(journey.music, 'Somebody', 'One file');
  await mkdir(album, { recursive: true });
  const tones = LENGTHS_S.flatMap((seconds, at) => [
    '-f',
    'lavfi',
    '-i',
    `sine=frequency=${300 * (at + 1)}:sample_rate=${RATE_HZ}:duration=${seconds}`,
  ]);
  const joined = [
    '-filter_complex',
    '[0][1][2]concat=n=3:v=0:a=1[a]',
    '-map',
    '[a]',
    '-ac',
    '2',
    '-sample_fmt',
    's16',
    '-metadata',
    'RATING=80',
  ];
  await run('ffmpeg', ['-hide_banner', '-loglevel', 'error', ...tones, ...joined, join(album, 'disc.flac')]);
  await writeFile(join(album, 'disc.cue'), sheet(['First', 'Second', 'Third']));
  whole = await decoded(join(album, 'disc.flac'));
  await journey.start();
  await journey.scan();
});
afterAll(() => journey.end());

describe('a file that a cue sheet cuts into songs', () => {
  it('is three songs of their own lengths', async () => {
    expect((await songs()).map(({ title, track, duration }) => ({ title, track, duration }))).toEqual([
      { title: 'First', track: 1, duration: 3 },
      { title: 'Second', track: 2, duration: 4 },
      { title: 'Third', track: 3, duration: 5 },
    ]);
  });

  it.each([1, 2, 3])('plays song %i sample by sample, streamed and downloaded', async (number) => {
    const { id } = (await songs())[number - 1] as Song;
    expect(digest(await heard(await compat('stream', { id, format: 'raw' }), 'flac'))).toBe(digest(slice(number)));
    expect(digest(await heard(await compat('download', { id }), 'flac'))).toBe(digest(slice(number)));
  });

  it('converts a song, and starts within it', async () => {
    const { id } = (await songs())[1] as Song;
    const mp3 = await heard(await compat('stream', { id, format: 'mp3', maxBitRate: '128' }), 'mp3');
    expect(mp3.length / FRAME_BYTES / RATE_HZ).toBeCloseTo(4, 0);
    const later = await heard(await compat('stream', { id, format: 'mp3', timeOffset: '3' }), 'mp3');
    expect(later.length / FRAME_BYTES / RATE_HZ).toBeCloseTo(1, 0);
  });

  it('is played by the address that the native API gives', async () => {
    const query = { action: 'songs', filter: 'Third', version: '8.0.0' };
    const headers = { authorization: `Bearer ${administrator.apiKey}` };
    const { song } = await journey.json<{ song: { url: string }[] }>('/server/json.server.php', query, { headers });
    expect(digest(await heard(await fetch((song[0] as { url: string }).url), 'flac'))).toBe(digest(slice(3)));
  });

  it('gives its rating to an account that asks for it, once', async () => {
    const env = { CONTINUO_DATA: join(journey.folder, 'data') };
    expect((await runCli(env, 'rating', 'import', administrator.name, '--dry-run')).out).toBe('3 songs would be rated as the tags say.');
    expect((await runCli(env, 'rating', 'import', administrator.name)).out).toBe('3 songs rated as the tags say.');
    expect((await songs()).map(({ userRating }) => userRating)).toEqual([4, 4, 4]);
    expect((await runCli(env, 'rating', 'import', administrator.name)).out).toBe('0 songs rated as the tags say.');
  });

  it('keeps its songs when the sheet changes, and when everything moves', async () => {
    const before = await songs();
    await writeFile(join(album, 'disc.cue'), sheet(['First', 'Another second', 'Third']));
    await journey.scan();
    const changed = await songs();
    expect(changed.map(({ title }) => title)).toEqual(['First', 'Another second', 'Third']);
    expect(changed.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    await rename(album, join(journey.music, 'Elsewhere'));
    album = join(journey.music, 'Elsewhere');
    await journey.scan();
    const moved = await songs();
    expect(moved.map(({ id, userRating }) => ({ id, userRating }))).toEqual(before.map(({ id }) => ({ id, userRating: 4 })));
  });

  it('becomes one song without the sheet, and three again with it', async () => {
    await rm(join(album, 'disc.cue'));
    await journey.scan();
    expect((await songs()).map(({ duration }) => duration)).toEqual([12]);
    await writeFile(join(album, 'disc.cue'), sheet(['First', 'Second', 'Third']));
    await journey.scan();
    expect(await songs()).toHaveLength(3);
    await rm(join(album, 'disc.flac'));
    await writeFile(join(album, 'other.flac'), '');
    await journey.scan();
    expect(await songs()).toEqual([]);
  });
});
