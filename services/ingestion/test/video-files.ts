import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { ffmpegPath } from './config.js';

const run = promisify(execFile);

/** One generated video. */
export interface VideoFile {
  readonly path: string;
  /** Tags by ffmpeg's generic names. */
  readonly tags?: Readonly<Record<string, string>>;
  readonly seconds?: number;
  /** Width and height, pixels. */
  readonly size?: readonly [number, number];
  /** Subtitles to embed, by language. */
  readonly captions?: readonly string[];
  readonly silent?: boolean;
}

/** Encoders by suffix: those that every build of ffmpeg has, where a container takes them. */
const encoders: Readonly<Record<string, readonly string[]>> = {
  webm: ['-c:v', 'libvpx', '-c:a', 'libvorbis'],
  ogv: ['-c:v', 'libtheora', '-c:a', 'libvorbis'],
  mpg: ['-c:v', 'mpeg2video', '-c:a', 'mp2'],
  ts: ['-c:v', 'mpeg2video', '-c:a', 'mp2'],
  wmv: ['-c:v', 'wmv2', '-c:a', 'wmav2'],
  flv: ['-c:v', 'flv', '-c:a', 'aac'],
};
const usual = ['-c:v', 'mpeg4', '-c:a', 'aac'];

/** Suffixes of {@link makeVideo}. */
export const videoSuffixes: readonly string[] = ['mp4', 'm4v', 'mov', 'mkv', 'avi', ...Object.keys(encoders)];

/** Writes a moving test picture with a tone. */
export const makeVideo = async ({
  path,
  tags = {},
  seconds = 1,
  size = [96, 64],
  captions = [],
  silent = false,
}: VideoFile): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  const suffix = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  const subtitles = `${path}.srt`;
  if (captions.length > 0) await writeFile(subtitles, '1\n00:00:00,000 --> 00:00:01,000\nHello\n');
  const picture = ['-f', 'lavfi', '-i', `testsrc=size=${size[0]}x${size[1]}:rate=25:duration=${seconds}`];
  const sound = silent ? [] : ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=44100:duration=${seconds}`];
  const first = silent ? 1 : 2;
  const texts = captions.flatMap(() => ['-i', subtitles]);
  const maps = Array.from({ length: first + captions.length }, (_, index) => ['-map', String(index)]).flat();
  const languages = captions.flatMap((language, index) => [`-metadata:s:s:${index}`, `language=${language}`]);
  const words = Object.entries(tags).flatMap(([name, value]) => ['-metadata', `${name}=${value}`]);
  const captionCodec = captions.length > 0 ? ['-c:s', suffix === 'mkv' ? 'srt' : 'mov_text'] : [];
  const inputs = ['-hide_banner', '-loglevel', 'error', '-y'].concat(picture, sound, texts, maps);
  await run(ffmpegPath, inputs.concat(encoders[suffix] ?? usual, captionCodec, languages, words, path));
};
