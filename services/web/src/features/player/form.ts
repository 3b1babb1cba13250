import type { Song } from '../../lib/api.js';
import { isKeptHere } from '../../lib/offline-address.js';
import { flac } from './gapless/flac.js';
import { mp3 } from './gapless/mp3.js';
import type { SoundFormat } from './gapless/sound-format.js';
import type { Track } from './track.js';

/** Choices of what is sent: the file as it is, or no more than a bit rate in kbit/s. */
export const QUALITIES = ['original', 'opus-192', 'opus-128', 'opus-64', 'mp3-320', 'mp3-192', 'mp3-128'] as const;
export type Quality = (typeof QUALITIES)[number];

/** Form in which a song is asked for, and why. */
export interface Form {
  /** Undefined for the address as the server gives it. */
  readonly format?: string;
  readonly kbps?: number;
  readonly reason: 'original' | 'account' | 'small' | 'chosen' | 'browser' | 'kept';
}

/** Quality, browser and earlier refusals, which decide on the form of a song. */
export interface FormRules {
  readonly quality: Quality;
  /** True when the browser may be able to play a type. */
  readonly canPlay: (mime: string) => boolean;
  /** True when the browser has failed to play this one. */
  readonly isRefused: (song: Song) => boolean;
}

const OPUS = 'audio/ogg; codecs=opus';
/** Files with more than this are taken for such without loss, bit/s. */
const LOSSLESS_FROM_BPS = 512_000;
/** R128 gains have steps of 1/256 dB and another loudness to reach, dB. */
const R128_STEPS = 256;
const R128_OFFSET_DB = 5;
/** Files whose length is told in them, and not guessed from their bit rate. */
const EXACT = new Set(['flac', 'wav', 'ogg', 'opus', 'm4a', 'aiff']);
/** Formats of files that can be joined without a gap. */
const JOINED: Readonly<Record<string, SoundFormat>> = { flac, mp3 };
/** A file that exceeds the chosen bit rate by less is sent as it is: rates of files are means. */
const NEARLY = 1.05;

/** True for a song whose file probably holds all of its sound. */
export const isLossless = ({ bitrate }: Song): boolean => bitrate > LOSSLESS_FROM_BPS;

const substituteOf = (song: Song, canPlay: FormRules['canPlay']): Form => {
  if (isLossless(song) && song.stream_format !== 'flac' && canPlay('audio/flac')) return { format: 'flac', reason: 'browser' };
  return canPlay(OPUS) ? { format: 'opus', kbps: 192, reason: 'browser' } : { format: 'mp3', kbps: 320, reason: 'browser' };
};

/** Decides in which form a song is asked for. */
export const formOf = (song: Song, { quality, canPlay, isRefused }: FormRules): Form => {
  if (isKeptHere(song)) return { reason: 'kept' };
  const isPlayable = !isRefused(song) && canPlay(song.stream_mime);
  if (quality === 'original') {
    if (!isPlayable) return substituteOf(song, canPlay);
    return { reason: song.stream_format === song.format ? 'original' : 'account' };
  }
  const [format = '', kbps = ''] = quality.split('-');
  if (isPlayable && song.stream_bitrate <= Number(kbps) * 1000 * NEARLY) return { reason: 'small' };
  return { format: format === 'opus' && !canPlay(OPUS) ? 'mp3' : format, kbps: Number(kbps), reason: 'chosen' };
};

/** Linear factor for the loudness of a song, by the gain of its album or its own; 1 where it has none. Its peak is not pushed beyond full scale. */
export const gainOf = (song: Song, ofAlbum: boolean): number => {
  const album = [song.replaygain_album_gain, song.r128_album_gain, song.replaygain_album_peak] as const;
  const track = [song.replaygain_track_gain, song.r128_track_gain, song.replaygain_track_peak] as const;
  const hasAlbum = ofAlbum && (album[0] !== null || album[1] !== null);
  const [gainDb, r128, peak] = hasAlbum ? album : track;
  const decibels = gainDb ?? (r128 === null ? 0 : r128 / R128_STEPS + R128_OFFSET_DB);
  const factor = 10 ** (decibels / 20);
  return peak !== null && peak > 0 ? Math.min(factor, Math.max(1 / peak, Number.MIN_VALUE)) : factor;
};

/** Address of a song in a form, from a position on, s. Fetching it counts as no play: the player says itself what is heard. */
const addressOf = (song: Song, { format, kbps }: Form, fromS = 0): string => {
  const url = new URL(song.url);
  url.searchParams.set('cache', '1');
  if (format !== undefined) {
    url.searchParams.delete('transcode_to');
    url.searchParams.delete('bitrate');
    url.searchParams.set('format', format);
  }
  if (kbps !== undefined) url.searchParams.set('bitrate', String(kbps * 1000));
  if (fromS > 0) url.searchParams.set('frame', fromS.toFixed(2));
  return url.href;
};

/** Makes the track that the engine plays for a song in a form. */
export const trackOf = (song: Song, form: Form, gain: number): Track => {
  const isMade = form.format !== undefined || form.reason === 'account' || song.stream_format !== song.format;
  return {
    id: song.id,
    url: addressOf(song, form),
    gain,
    durationS: song.time,
    joinsAs:
      !isMade && URL.canParse(song.url) && new URL(song.url).origin === globalThis.location?.origin ? JOINED[song.format] : undefined,
    isExact: !isMade && EXACT.has(song.format),
    ...(isMade ? { urlFrom: (positionS: number) => addressOf(song, form, positionS) } : {}),
  };
};
