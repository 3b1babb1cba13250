import { execFile } from 'node:child_process';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { administrator, Journey } from './journey.js';

const run = promisify(execFile);
const LENGTH_S = 27;
const WORDS = '1\n00:00:01,000 --> 00:00:02,000\nIn the file\n';
let journey: Journey;
let films: string;

const native = <T>(action: string, query: Record<string, string> = {}): Promise<T> =>
  journey.json<T>(
    '/server/json.server.php',
    { action, version: '8.0.0', ...query },
    { headers: { authorization: `Bearer ${administrator.apiKey}` } },
  );
type Pair = readonly [name: string, value: string];

/** Of an operation of the compatibility API; a name may come several times. */
const address = (operation: string, query: readonly Pair[]): string => {
  const params = new URLSearchParams({ apiKey: administrator.apiKey, v: '1.16.1', c: 'e2e', f: 'json' });
  for (const [name, value] of query) params.append(name, value);
  return `${journey.server.url}/rest/${operation}?${params.toString()}`;
};
const found = async (kind: 'videos' | 'songs'): Promise<number> => (await native<Record<'total_count', number>>(kind)).total_count;

const makeFilm = async (): Promise<void> => {
  const sound = (hz: number): string[] => ['-f', 'lavfi', '-i', `sine=frequency=${hz}:duration=${LENGTH_S}`];
  await writeFile(join(films, 'words.txt'), WORDS);
  const inputs = [
    '-f',
    'lavfi',
    '-i',
    `testsrc=size=320x180:rate=25:duration=${LENGTH_S}`,
    ...sound(300),
    ...sound(900),
    '-f',
    'srt',
    '-i',
    join(films, 'words.txt'),
  ];
  const maps = [0, 1, 2, 3].flatMap((index) => ['-map', String(index)]);
  const coded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-c:s', 'srt'];
  const tags = ['-metadata', 'title=The Film', '-metadata:s:a:1', 'language=ger', '-metadata:s:s:0', 'language=eng'];
  await run('ffmpeg', ['-v', 'error', ...inputs, ...maps, ...coded, ...tags, join(films, 'film.mkv')]);
  await writeFile(join(films, 'film.de.srt'), Buffer.from('1\n00:00:03,000 --> 00:00:04,000\nGrüße daneben\n', 'latin1'));
};

beforeAll(async () => {
  journey = await Journey.prepare();
  films = join(journey.folder, 'films');
  const music = join(journey.folder, 'waves');
  await mkdir(films, { recursive: true });
  await mkdir(music, { recursive: true });
  await makeFilm();
  await run('ffmpeg', [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    `sine=frequency=300:duration=${LENGTH_S}`,
    '-metadata',
    'title=Wave',
    join(music, 'wave.flac'),
  ]);
  await journey.start();
  for (const [name, path, media_type] of [
    ['Films', films, 'video'],
    ['Waves', music, 'music'],
  ] as const) {
    const { id } = await native<{ id: string }>('catalog_add', { name, path, media_type });
    await native('catalog_action', { filter: id, task: 'add_to_catalog' });
  }
  await vi.waitUntil(async () => (await found('videos')) === 1 && (await found('songs')) === 1, { timeout: 30_000, interval: 200 });
}, 120_000);
afterAll(() => journey.end());

interface Played {
  readonly streams: readonly {
    readonly codec_type: string;
    readonly codec_name: string;
    readonly width?: number;
    readonly nb_read_frames?: string;
  }[];
  readonly format: { readonly duration?: string };
}
const probed = async (what: string, count: readonly string[] = []): Promise<Played> =>
  JSON.parse(
    (await run('ffprobe', ['-v', 'error', ...count, '-show_streams', '-show_format', '-of', 'json', what], { maxBuffer: 16 << 20 })).stdout,
  ) as Played;

/** Plays a list to its end, as a player would that knows nothing but its address, into a file. */
const played = async (query: readonly Pair[], name: string): Promise<Played> => {
  const file = join(journey.folder, name);
  const { stderr } = await run('ffmpeg', ['-v', 'warning', '-y', '-i', address('hls.m3u8', query), '-c', 'copy', '-f', 'matroska', file]);
  expect(stderr.split('\n').filter((line) => /error|fail|corrupt|discont|missing|invalid/i.test(line))).toEqual([]);
  expect((await stat(file)).size).toBeGreaterThan(10_000);
  const whole = await probed(file, ['-count_frames']);
  expect(Math.abs(Number(whole.format.duration) - LENGTH_S)).toBeLessThan(0.2);
  return whole;
};
const pictures = ({ streams }: Played): number => Number(streams.find(({ codec_type }) => codec_type === 'video')?.nb_read_frames);

describe('live streaming', () => {
  it('plays a song from its first to its last second', async () => {
    const { streams } = await played(
      [
        ['id', 'so-1'],
        ['bitRate', '96'],
      ],
      'song.mkv',
    );
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(['aac']);
  }, 60_000);

  it('plays a film, every picture of it, with the soundtrack that is asked for', async () => {
    const whole = await played(
      [
        ['id', 'vi-1'],
        ['bitRate', '300@160x90'],
        ['audioTrack', '1'],
      ],
      'film.mkv',
    );
    expect(whole.streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac']);
    expect([whole.streams[0]?.width, pictures(whole)]).toEqual([160, LENGTH_S * 25]);
  }, 60_000);

  it('offers a choice of rates', async () => {
    const list = await (
      await fetch(
        address('hls', [
          ['id', 'vi-1'],
          ['bitRate', '150'],
          ['bitRate', '400'],
        ]),
      )
    ).text();
    expect(list.match(/RESOLUTION=\S+?,/g)).toEqual(['RESOLUTION=320x180,', 'RESOLUTION=320x180,']);
    expect(list).not.toContain(administrator.apiKey);
    const [variant = ''] = list.split('\n').filter((line) => line.endsWith('list.m3u8'));
    const segments = await (await fetch(`${journey.server.url}/rest/${variant}`)).text();
    expect(segments.match(/^\d+\.ts$/gm)).toEqual(['0.ts', '1.ts', '2.ts', '3.ts']);
  });

  it('gives captions of the file and from beside it', async () => {
    const info = await journey.json<{ 'subsonic-response': { videoInfo: { captions: { id: string; name: string }[] } } }>(
      '/rest/getVideoInfo',
      {
        apiKey: administrator.apiKey,
        v: '1.16.1',
        c: 'e2e',
        f: 'json',
        id: 'vi-1',
      },
    );
    const { captions } = info['subsonic-response'].videoInfo;
    expect(captions.map(({ name }) => name)).toEqual(['film.de.srt', 'eng']);
    const words = await Promise.all(
      captions.map(async ({ id }) =>
        (
          await fetch(
            address('getCaptions', [
              ['id', id],
              ['format', 'vtt'],
            ]),
          )
        ).text(),
      ),
    );
    expect(words[0]).toBe('WEBVTT\n\n00:00:03.000 --> 00:00:04.000\nGrüße daneben\n');
    expect(words[1]).toMatch(/^WEBVTT\n\n00:00:01\.0\d\d --> 00:00:02\.0\d\d\nIn the file\n$/);
  });

  it('converts a film in one piece', async () => {
    const file = join(journey.folder, 'part.webm');
    const answer = await fetch(
      address('stream', [
        ['id', 'vi-1'],
        ['format', 'webm'],
        ['maxBitRate', '200'],
        ['timeOffset', '20'],
      ]),
    );
    expect(answer.headers.get('content-type')).toBe('video/webm');
    await writeFile(file, Buffer.from(await answer.arrayBuffer()));
    const whole = await probed(file);
    expect(whole.streams.map(({ codec_name }) => codec_name)).toEqual(['vp9', 'opus']);
    expect(Math.abs(Number(whole.format.duration) - 7)).toBeLessThan(0.2);
  }, 60_000);
});
