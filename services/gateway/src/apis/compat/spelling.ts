import type { NameRef, TagRef } from '@continuo/contracts';
import { formatId } from './ids.js';

/** Whole seconds. */
export const seconds = (durationMs: number): number => Math.round(durationMs / 1000);

/** A number above zero; others are unknown. */
export const positive = (value: number | null | undefined): number | undefined =>
  value !== null && value !== undefined && value > 0 ? value : undefined;

/** Displayed artist, else the joined names; undefined without artists. */
export const artistLine = (displayed: string | undefined, artists: readonly NameRef[]): string | undefined =>
  displayed ?? (artists.length > 1 ? artists.map((artist) => artist.name).join(', ') : artists[0]?.name);

/** First genre, for fields with room for one. */
export const firstGenre = (genres: readonly TagRef[]): string | undefined => genres[0]?.name;

/** Formatted id of the first artist. */
export const firstArtistId = (artists: readonly NameRef[]): string | undefined => artists[0] && formatId('artist', artists[0].id);
