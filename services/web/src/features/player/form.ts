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
  /** Change of the loudness that the server makes, dB; absent: none. */
  readonly gainDb?: number;
  readonly reason: 'original' | 'account' | 'small' | 'chosen' | 'browser' | 'loudness' | 'kept';
}

/** Quality, browser and earlier refusals, which decide on the form of a song. */
export interface FormRules {
  readonly quality: Quality;
  /** True when the browser may be able to play a type. */
  readonly canPlay: (mime: string) => boolean;
  /** True when the browser has failed to play this one. */
  readonly isRefused: (song: Song) => boolean;
  /** Factor of the volume that the server has to apply; absent: none. */
  readonly gain?: number;
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

/** A song that would be no more than this too loud or too quiet is not made anew for it, dB. */
const LEAST_GAIN_DB = 0.5;
/** Largest change of the loudness that the server makes, dB. */
const MOST_GAIN_DB = 30;

/** True for a song whose file probably holds all of its sound. */
export const isLossless = ({ bitrate }: Song): boolean => bitrate > LOSSLESS_FROM_BPS;

const substituteOf = (song: Song, canPlay: FormRules['canPlay'], reason: 'browser' | 'loudness'): Form => {
  const keepsAll = song.stream_format === 'flac' ? reason === 'loudness' : isLossless(song);
  if (keepsAll && canPlay('audio/flac')) return { format: 'flac', reason };
  return canPlay(OPUS) ? { format: 'opus', kbps: 192, reason } : { format: 'mp3', kbps: 320, reason };
};

const chosenForm = (quality: Quality, canPlay: FormRules['canPlay'], reason: 'chosen' | 'loudness'): Form => {
  const [format = '', kbps = ''] = quality.split('-');
  return { format: format === 'opus' && !canPlay(OPUS) ? 'mp3' : format, kbps: Number(kbps), reason };
};

/** The form whose loudness nobody changes. */
const plainForm = (song: Song, { quality, canPlay, isRefused }: FormRules): Form => {
  if (isKeptHere(song)) return { reason: 'kept' };
  const isPlayable = !isRefused(song) && canPlay(song.stream_mime);
  if (quality === 'original') {
    if (!isPlayable) return substituteOf(song, canPlay, 'browser');
    return { reason: song.stream_format === song.format ? 'original' : 'account' };
  }
  const chosen = chosenForm(quality, canPlay, 'chosen');
  return isPlayable && song.stream_bitrate <= (chosen.kbps ?? 0) * 1000 * NEARLY ? { reason: 'small' } : chosen;
};

/** Decides in which form a song is asked for: one that is made where its loudness has to change. */
export const formOf = (song: Song, rules: FormRules): Form => {
  const plain = plainForm(song, rules);
  const { quality, canPlay, gain = 1 } = rules;
  const decibels = 20 * Math.log10(gain);
  if (plain.reason === 'kept' || Math.abs(decibels) <= LEAST_GAIN_DB) return plain;
  // Rounded down, so that no peak comes to lie above full scale.
  const gainDb = Math.max(-MOST_GAIN_DB, Math.min(MOST_GAIN_DB, Math.floor(decibels * 100 + 1e-6) / 100));
  if (plain.format !== undefined || plain.reason === 'account') return { ...plain, gainDb };
  return { ...(quality === 'original' ? substituteOf(song, canPlay, 'loudness') : chosenForm(quality, canPlay, 'loudness')), gainDb };
};

/**
 * Linear factor for the loudness of a song, by the gain of its album or its own; 1 where it has none. Its peak is not pushed beyond full scale.
 * @param mostWithoutPeak highest factor of a song whose peak is not known
 */
export const gainOf = (song: Song, ofAlbum: boolean, mostWithoutPeak = Number.POSITIVE_INFINITY): number => {
  const album = [song.replaygain_album_gain, song.r128_album_gain, song.replaygain_album_peak] as const;
  const track = [song.replaygain_track_gain, song.r128_track_gain, song.replaygain_track_peak] as const;
  const hasAlbum = ofAlbum && (album[0] !== null || album[1] !== null);
  const [gainDb, r128, peak] = hasAlbum ? album : track;
  const decibels = gainDb ?? (r128 === null ? 0 : r128 / R128_STEPS + R128_OFFSET_DB);
  const factor = 10 ** (decibels / 20);
  return Math.min(factor, peak !== null && peak > 0 ? Math.max(1 / peak, Number.MIN_VALUE) : mostWithoutPeak);
};

/** Address of a song in a form, from a position on, s. Fetching it counts as no play: the player says itself what is heard. */
const addressOf = (song: Song, { format, kbps, gainDb }: Form, fromS = 0): string => {
  const url = new URL(song.url);
  url.searchParams.set('cache', '1');
  if (format !== undefined) {
    url.searchParams.delete('transcode_to');
    url.searchParams.delete('bitrate');
    url.searchParams.set('format', format);
  }
  if (kbps !== undefined) url.searchParams.set('bitrate', String(kbps * 1000));
  if (gainDb !== undefined) url.searchParams.set('gain', gainDb.toFixed(2));
  if (fromS > 0) url.searchParams.set('frame', fromS.toFixed(2));
  return url.href;
};

/** Makes the track that the engine plays for a song in a form. */
export const trackOf = (song: Song, form: Form, gain: number): Track => {
  const isMade = form.format !== undefined || form.reason === 'account' || song.stream_format !== song.format;
  return {
    id: song.id,
    url: addressOf(song, form),
    gain: form.gainDb === undefined ? gain : 1,
    durationS: song.time,
    joinsAs:
      !isMade && URL.canParse(song.url) && new URL(song.url).origin === globalThis.location?.origin ? JOINED[song.format] : undefined,
    isExact: !isMade && EXACT.has(song.format),
    ...(isMade ? { urlFrom: (positionS: number) => addressOf(song, form, positionS) } : {}),
  };
};
