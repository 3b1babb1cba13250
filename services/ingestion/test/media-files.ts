import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { ffmpegPath } from './config.js';

const run = promisify(execFile);

/** One generated file. */
export interface MediaFile {
  readonly path: string;
  /** Tags by ffmpeg's generic names. */
  readonly tags?: Readonly<Record<string, string>>;
  readonly seconds?: number;
  /** Tone in hertz: different tones make different files. */
  readonly toneHz?: number;
  /** A picture file to embed as the front cover. */
  readonly cover?: string;
  readonly args?: readonly string[];
}

/** Encoder and muxer settings by suffix, for the formats that ffmpeg can write. */
const settings: Readonly<Record<string, readonly string[]>> = {
  mp3: ['-c:a', 'libmp3lame', '-q:a', '4', '-id3v2_version', '4'],
  flac: ['-c:a', 'flac'],
  ogg: ['-c:a', 'libvorbis'],
  opus: ['-c:a', 'libopus', '-b:a', '64k'],
  m4a: ['-c:a', 'aac'],
  alac: ['-c:a', 'alac', '-f', 'ipod'],
  wav: ['-c:a', 'pcm_s16le'],
  aiff: ['-c:a', 'pcm_s16be', '-write_id3v2', '1'],
  wma: ['-c:a', 'wmav2'],
  wv: ['-c:a', 'wavpack'],
  mp2: ['-c:a', 'mp2'],
  aac: ['-c:a', 'aac', '-f', 'adts'],
  mka: ['-c:a', 'libvorbis'],
};

/** The formats of {@link makeMediaFile}: suffix of the settings, not always of the file. */
export const writableFormats: readonly string[] = Object.keys(settings);

const suffixOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1).toLowerCase();

/** Writes one tone as a tagged file; `as` chooses the encoder where the suffix does not. */
export const makeMediaFile = async (file: MediaFile, as = suffixOf(file.path)): Promise<void> => {
  await mkdir(dirname(file.path), { recursive: true });
  const source = `sine=frequency=${file.toneHz ?? 440}:sample_rate=44100:duration=${file.seconds ?? 1}`;
  const cover = file.cover ? ['-i', file.cover, '-map', '0:a', '-map', '1:v', '-c:v', 'copy', '-disposition:v:0', 'attached_pic'] : [];
  const tags = Object.entries(file.tags ?? {}).flatMap(([name, value]) => ['-metadata', `${name}=${value}`]);
  const args = [
    '-hide_banner',
    '-loglevel',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    source,
    ...cover,
    ...(settings[as] ?? []),
    ...tags,
    ...(file.args ?? []),
    file.path,
  ];
  await run(ffmpegPath, args);
};

/** Writes a plain picture; the suffix chooses the format. */
export const makePicture = async (path: string, widthPx = 64, heightPx = 48): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await run(ffmpegPath, [
    '-hide_banner',
    '-loglevel',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    `testsrc2=size=${widthPx}x${heightPx}`,
    '-frames:v',
    '1',
    path,
  ]);
};
