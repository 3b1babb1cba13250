import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServedSong } from './served-songs.js';

const run = promisify(execFile);

/** Compared properties of a file by ffprobe. */
export interface ProbedFile {
  readonly codec: string;
  readonly sampleRateHz: number;
  readonly channels: number;
  readonly durationMs: number;
  /** 0 where it says nothing of it. */
  readonly bitDepth: number;
  /** By lower-case name; of several values one text. */
  readonly tags: Readonly<Record<string, string>>;
}

interface Probe {
  readonly format: { readonly duration?: string; readonly tags?: Record<string, string> };
  readonly streams: readonly {
    readonly codec_type: string;
    readonly codec_name: string;
    readonly sample_rate?: string;
    readonly channels?: number;
    readonly duration?: string;
    readonly bits_per_raw_sample?: string;
    readonly bits_per_sample?: number;
    readonly tags?: Record<string, string>;
  }[];
}

/** Asks ffprobe for a file. @throws Error when it has no sound for it */
export const probed = async (path: string): Promise<ProbedFile> => {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', path]);
  const { format, streams } = JSON.parse(stdout) as Probe;
  const sound = streams.find((stream) => stream.codec_type === 'audio');
  if (!sound) throw new Error(`no sound in ${path}`);
  const tags = Object.entries({ ...sound.tags, ...format.tags }).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    codec: sound.codec_name,
    sampleRateHz: Number(sound.sample_rate ?? 0),
    channels: sound.channels ?? 0,
    durationMs: Number(format.duration ?? sound.duration ?? 0) * 1000,
    bitDepth: Number(sound.bits_per_raw_sample ?? 0) || (sound.bits_per_sample ?? 0),
    tags: Object.fromEntries(tags),
  };
};

/** Names that the second reader has for codecs, and what ours are like. */
const codecs: readonly (readonly [RegExp, RegExp])[] = [
  [/^mp3/, /layer 3|mp3/i],
  [/^mp2/, /layer 2/i],
  [/^aac/, /aac/i],
  [/^alac/, /alac/i],
  [/^flac/, /flac/i],
  [/^vorbis/, /vorbis/i],
  [/^opus/, /opus/i],
  [/^speex/, /speex/i],
  [/^pcm/, /pcm|float/i],
  [/^wma/, /windows media|wma/i],
  [/^wavpack/, /pcm|wavpack/i],
  [/^dsd/, /dsd|^$/i],
];

/** Expected tags for the second reader; only those with one value here. */
const plainTags = ({ song }: ServedSong): readonly (readonly [name: string, value: string | undefined])[] => [
  ['title', song.title],
  ['album', song.album.name],
  ...(song.artists.length === 1 && song.displayArtist === undefined ? [['artist', song.artists[0]?.name] as const] : []),
  ...(song.genres.length === 1 ? [['genre', song.genres[0]] as const] : []),
];

/** Text that the second reader does not decode is no difference: it knows no other character sets than those that a tag names. Several values it joins. */
const isForeign = (text: string): boolean => /[;\u0080-\u{10ffff}]/u.test(text);

/** A text as ours are kept: on one line, without control characters. */
const spelled = (text: string): string =>
  text
    .replaceAll(/\p{Cc}+/gu, (controls) => (/\s/.test(controls) ? ' ' : ''))
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Where the two readers disagree, one line for each. */
export const differences = (served: ServedSong, probe: ProbedFile): string[] => {
  const { sound } = served;
  const like = codecs.find(([pattern]) => pattern.test(probe.codec))?.[1];
  // Speex and Opus have rates of their own for decoding.
  const rate = probe.codec.startsWith('dsd') ? probe.sampleRateHz * 8 : probe.sampleRateHz;
  const isRateSame = rate === sound.sampleRateHz || probe.codec === 'opus';
  const depth = probe.codec.startsWith('dsd') ? 1 : probe.bitDepth;
  const tags = plainTags(served).flatMap(([name, value]) => {
    const other = probe.tags[name];
    if (other === undefined || value === undefined || isForeign(value) || isForeign(other)) return [];
    return spelled(other) === value ? [] : [`${name} is ${value} here and ${other} there`];
  });
  return [
    ...(like?.test(sound.codec ?? '') ? [] : [`codec is ${sound.codec} here and ${probe.codec} there`]),
    ...(isRateSame ? [] : [`rate is ${sound.sampleRateHz} here and ${rate} there`]),
    ...(probe.channels === sound.channels ? [] : [`channels are ${sound.channels} here and ${probe.channels} there`]),
    ...(Math.abs(probe.durationMs - sound.durationMs) <= 120 ? [] : [`it lasts ${sound.durationMs} here and ${probe.durationMs} there`]),
    ...(depth === 0 || sound.bitDepth === undefined || depth === sound.bitDepth
      ? []
      : [`bit depth is ${sound.bitDepth} here and ${depth} there`]),
    ...tags,
  ];
};
