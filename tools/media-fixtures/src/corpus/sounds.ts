import type { ExpectedSound, Sound } from './sound.js';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtSounds } from './built-sounds.js';
import { withAtoms } from './writers/mp4.js';

const run = promisify(execFile);

/** Length of every sound, ms. */
export const SOUND_MS = 2000;

const plain = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:a', '+bitexact'];
const mp3 = [...plain, '-c:a', 'libmp3lame', '-id3v2_version', '0', '-write_id3v1', '0'];
const layer3 = { format: 'mp3', mime: 'audio/mpeg', codec: 'mpeg.*layer 3', lossless: false };
const mp4 = { format: 'm4a', mime: 'audio/mp4' };
const flac = { format: 'flac', mime: 'audio/flac', codec: 'flac', lossless: true, bitrateMode: 'vbr' } as const;
const ogg = { mime: 'audio/ogg', lossless: false, bitrateMode: 'vbr' } as const;
const wav = { format: 'wav', mime: 'audio/wav', codec: 'pcm', lossless: true, bitrateMode: 'cbr' } as const;
const aiff = { format: 'aiff', mime: 'audio/aiff', codec: 'pcm', lossless: true, bitrateMode: 'cbr' } as const;
const wma = { format: 'wma', mime: 'audio/x-ms-wma', codec: 'windows media|wma', lossless: false };
const wavpack = { format: 'wv', mime: 'audio/x-wavpack', codec: 'pcm', lossless: true, bitrateMode: 'vbr' } as const;
const mka = { format: 'mka', mime: 'audio/x-matroska', bitrateMode: 'vbr' } as const;
const webm = { format: 'webm', mime: 'audio/webm', lossless: false, bitrateMode: 'vbr' } as const;

interface Recipe {
  readonly suffix: string;
  readonly rateHz?: number;
  readonly channels?: number;
  readonly args: readonly string[];
  readonly expected: Omit<ExpectedSound, 'sampleRateHz' | 'channels' | 'durationMs'> & { readonly sampleRateHz?: number };
}

/** Sounds that ffmpeg makes, by name. */
const recipes: Readonly<Record<string, Recipe>> = {
  mp3: { suffix: 'mp3', args: [...mp3, '-q:a', '4'], expected: { ...layer3, bitrateMode: 'vbr' } },
  'mp3-cbr': { suffix: 'mp3', args: [...mp3, '-b:a', '128k'], expected: { ...layer3, bitrateMode: 'cbr' } },
  'mp3-48k': { suffix: 'mp3', rateHz: 48_000, args: [...mp3, '-b:a', '320k'], expected: { ...layer3, bitrateMode: 'cbr' } },
  'mp3-22k-mono': {
    suffix: 'mp3',
    rateHz: 22_050,
    channels: 1,
    args: [...mp3, '-b:a', '64k'],
    expected: { ...layer3, bitrateMode: 'cbr' },
  },
  'mp3-8k-mono': { suffix: 'mp3', rateHz: 8000, channels: 1, args: [...mp3, '-b:a', '16k'], expected: { ...layer3, bitrateMode: 'cbr' } },
  'mp3-no-xing': { suffix: 'mp3', args: [...mp3, '-b:a', '192k', '-write_xing', '0'], expected: { ...layer3, bitrateMode: 'cbr' } },
  mp2: {
    suffix: 'mp2',
    args: [...plain, '-c:a', 'mp2', '-b:a', '192k'],
    expected: { format: 'mp2', mime: 'audio/mpeg', codec: 'mpeg.*layer 2', lossless: false, bitrateMode: 'cbr' },
  },
  aac: {
    suffix: 'aac',
    args: [...plain, '-c:a', 'aac', '-f', 'adts'],
    expected: { format: 'aac', mime: 'audio/aac', codec: 'aac', lossless: false, bitrateMode: 'vbr' },
  },
  m4a: {
    suffix: 'm4a',
    args: [...plain, '-c:a', 'aac', '-metadata', 'title=x'],
    expected: { ...mp4, codec: 'aac', lossless: false, bitrateMode: 'vbr' },
  },
  m4b: {
    suffix: 'm4b',
    args: [...plain, '-c:a', 'aac', '-f', 'ipod', '-metadata', 'title=x'],
    expected: { ...mp4, codec: 'aac', lossless: false, bitrateMode: 'vbr' },
  },
  mp4: {
    suffix: 'mp4',
    args: [...plain, '-c:a', 'aac', '-metadata', 'title=x'],
    expected: { ...mp4, codec: 'aac', lossless: false, bitrateMode: 'vbr' },
  },
  'm4a-surround': {
    suffix: 'm4a',
    rateHz: 48_000,
    channels: 6,
    args: [...plain, '-c:a', 'aac', '-metadata', 'title=x'],
    expected: { ...mp4, codec: 'aac', lossless: false, bitrateMode: 'vbr' },
  },
  alac: {
    suffix: 'm4a',
    args: [...plain, '-c:a', 'alac', '-f', 'ipod', '-sample_fmt', 's16p', '-metadata', 'title=x'],
    expected: { ...mp4, codec: 'alac', lossless: true, bitDepth: 16, bitrateMode: 'vbr' },
  },
  'alac-24': {
    suffix: 'm4a',
    rateHz: 96_000,
    args: [...plain, '-c:a', 'alac', '-f', 'ipod', '-sample_fmt', 's32p', '-metadata', 'title=x'],
    expected: { ...mp4, codec: 'alac', lossless: true, bitDepth: 24, bitrateMode: 'vbr' },
  },
  flac: { suffix: 'flac', args: [...plain, '-c:a', 'flac', '-sample_fmt', 's16'], expected: { ...flac, bitDepth: 16 } },
  'flac-24': {
    suffix: 'flac',
    rateHz: 96_000,
    args: [...plain, '-c:a', 'flac', '-sample_fmt', 's32'],
    expected: { ...flac, bitDepth: 24 },
  },
  'flac-192k': {
    suffix: 'flac',
    rateHz: 192_000,
    args: [...plain, '-c:a', 'flac', '-sample_fmt', 's32'],
    expected: { ...flac, bitDepth: 24 },
  },
  'flac-mono': {
    suffix: 'flac',
    rateHz: 32_000,
    channels: 1,
    args: [...plain, '-c:a', 'flac', '-sample_fmt', 's16'],
    expected: { ...flac, bitDepth: 16 },
  },
  'flac-surround': {
    suffix: 'flac',
    rateHz: 48_000,
    channels: 6,
    args: [...plain, '-c:a', 'flac', '-sample_fmt', 's16'],
    expected: { ...flac, bitDepth: 16 },
  },
  ogg: { suffix: 'ogg', args: [...plain, '-c:a', 'libvorbis'], expected: { ...ogg, format: 'ogg', codec: 'vorbis' } },
  'ogg-48k-mono': {
    suffix: 'ogg',
    rateHz: 48_000,
    channels: 1,
    args: [...plain, '-c:a', 'libvorbis'],
    expected: { ...ogg, format: 'ogg', codec: 'vorbis' },
  },
  opus: {
    suffix: 'opus',
    rateHz: 48_000,
    args: [...plain, '-c:a', 'libopus', '-b:a', '64k'],
    expected: { ...ogg, format: 'opus', codec: 'opus' },
  },
  'opus-mono': {
    suffix: 'opus',
    rateHz: 48_000,
    channels: 1,
    args: [...plain, '-c:a', 'libopus', '-b:a', '32k'],
    expected: { ...ogg, format: 'opus', codec: 'opus' },
  },
  speex: {
    suffix: 'spx',
    rateHz: 16_000,
    channels: 1,
    args: [...plain, '-c:a', 'libspeex'],
    expected: { ...ogg, format: 'spx', codec: 'speex' },
  },
  'ogg-flac': {
    suffix: 'oga',
    args: [...plain, '-c:a', 'flac', '-sample_fmt', 's16', '-f', 'ogg'],
    expected: { ...ogg, format: 'oga', codec: 'flac', lossless: true, bitDepth: 16 },
  },
  'wav-8': { suffix: 'wav', args: [...plain, '-c:a', 'pcm_u8'], expected: { ...wav, bitDepth: 8 } },
  wav: { suffix: 'wav', args: [...plain, '-c:a', 'pcm_s16le'], expected: { ...wav, bitDepth: 16 } },
  'wav-24': { suffix: 'wav', rateHz: 96_000, args: [...plain, '-c:a', 'pcm_s24le'], expected: { ...wav, bitDepth: 24 } },
  'wav-32': { suffix: 'wav', args: [...plain, '-c:a', 'pcm_s32le'], expected: { ...wav, bitDepth: 32 } },
  'wav-float': { suffix: 'wav', args: [...plain, '-c:a', 'pcm_f32le'], expected: { ...wav, bitDepth: 32, codec: 'float|pcm' } },
  'wav-rf64': { suffix: 'wav', args: [...plain, '-c:a', 'pcm_s16le', '-rf64', 'always'], expected: { ...wav, bitDepth: 16 } },
  aiff: { suffix: 'aiff', args: [...plain, '-c:a', 'pcm_s16be'], expected: { ...aiff, bitDepth: 16 } },
  'aiff-24': { suffix: 'aif', args: [...plain, '-c:a', 'pcm_s24be', '-f', 'aiff'], expected: { ...aiff, bitDepth: 24 } },
  aifc: { suffix: 'aifc', args: [...plain, '-c:a', 'pcm_s16le', '-f', 'aiff'], expected: { ...aiff, bitDepth: 16 } },
  wma: { suffix: 'wma', args: [...plain, '-c:a', 'wmav2', '-b:a', '128k'], expected: wma },
  'wma-1': { suffix: 'wma', args: [...plain, '-c:a', 'wmav1', '-b:a', '128k'], expected: wma },
  wv: { suffix: 'wv', args: [...plain, '-c:a', 'wavpack', '-sample_fmt', 's16p'], expected: { ...wavpack, bitDepth: 16 } },
  'wv-24': {
    suffix: 'wv',
    rateHz: 48_000,
    args: [...plain, '-c:a', 'wavpack', '-sample_fmt', 's32p'],
    expected: { ...wavpack, bitDepth: 32 },
  },
  mka: { suffix: 'mka', args: [...plain, '-c:a', 'libvorbis'], expected: { ...mka, codec: 'vorbis', lossless: false } },
  'mka-flac': {
    suffix: 'mka',
    args: [...plain, '-c:a', 'flac', '-sample_fmt', 's16'],
    expected: { ...mka, codec: 'flac', lossless: true, bitDepth: 16 },
  },
  'mka-opus': { suffix: 'mka', rateHz: 48_000, args: [...plain, '-c:a', 'libopus'], expected: { ...mka, codec: 'opus', lossless: false } },
  'mka-mp3': { suffix: 'mka', args: [...plain, '-c:a', 'libmp3lame'], expected: { ...mka, codec: 'layer 3', lossless: false } },
  webm: { suffix: 'webm', rateHz: 48_000, args: [...plain, '-c:a', 'libopus'], expected: { ...webm, codec: 'opus' } },
  'webm-vorbis': { suffix: 'weba', args: [...plain, '-c:a', 'libvorbis', '-f', 'webm'], expected: { ...webm, codec: 'vorbis' } },
};

const make = async (folder: string, name: string, recipe: Recipe): Promise<Sound> => {
  const { suffix, rateHz = 44_100, channels = 2, args, expected } = recipe;
  const path = join(folder, `${name}.${suffix}`);
  const source = `sine=frequency=440:sample_rate=${rateHz}:duration=${SOUND_MS / 1000}`;
  const input = ['-hide_banner', '-loglevel', 'error', '-y', '-f', 'lavfi', '-i', source, '-ac', String(channels)];
  await run('ffmpeg', [...input, ...args, path]);
  const sound = { sampleRateHz: rateHz, channels, durationMs: SOUND_MS, ...expected };
  const bytes = await readFile(path);
  // ffmpeg makes the list of tags only when it has one; an empty list is what taggers start from.
  return { suffix, expected: sound, plays: true, bytes: bytes.includes('ilst') ? withAtoms(bytes, []) : bytes };
};

/** Makes every sound, a few at a time. @throws Error when ffmpeg is missing */
export const makeSounds = async (): Promise<ReadonlyMap<string, Sound>> => {
  const folder = await mkdtemp(join(tmpdir(), 'continuo-sounds-'));
  const sounds = new Map<string, Sound>(Object.entries(builtSounds).map(([name, build]) => [name, build()]));
  try {
    const waiting = Object.entries(recipes);
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) sounds.set(next[0], await make(folder, ...next));
    };
    await Promise.all([worker(), worker()]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return sounds;
};
