import type { ScannedTrack } from '@continuo/contracts';

/** Loudness as a scanned track carries it. */
export type Loudness = NonNullable<ScannedTrack['loudness']>;

/** Gains beyond this many dB are errors of the tagger. */
const MAX_GAIN_DB = 100;

const number = (value: string | undefined): number | undefined => {
  const match = /^\s*([+-]?\d+(?:[.,]\d+)?)\s*(?:dB)?\s*$/i.exec(value ?? '');
  return match ? Number((match[1] as string).replace(',', '.')) : undefined;
};

const gainDb = (value: string | undefined): number | undefined => {
  const gain = number(value);
  return gain !== undefined && Math.abs(gain) <= MAX_GAIN_DB ? gain : undefined;
};

const peak = (value: string | undefined): number | undefined => {
  const level = number(value);
  return level !== undefined && level >= 0 && level <= 100 ? level : undefined;
};

/** R128 gains are whole steps of 1/256 dB in 16 bits (RFC 7845, section 5.2.1). */
const q78 = (value: string | undefined): number | undefined => {
  const steps = /^\s*[+-]?\d{1,6}\s*$/.test(value ?? '') ? Number(value) : undefined;
  return steps !== undefined && steps >= -32_768 && steps <= 32_767 ? steps : undefined;
};

/** Reads the loudness tags; `tag` answers the first value of a tag by its lower-case name. */
export const loudnessFrom = (tag: (name: string) => string | undefined): Loudness => {
  const values = {
    trackGainDb: gainDb(tag('replaygain_track_gain')),
    trackPeak: peak(tag('replaygain_track_peak')),
    albumGainDb: gainDb(tag('replaygain_album_gain')),
    albumPeak: peak(tag('replaygain_album_peak')),
    r128TrackGain: q78(tag('r128_track_gain')),
    r128AlbumGain: q78(tag('r128_album_gain')),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
};
