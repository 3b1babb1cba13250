import type { NameRef, TagRef } from '@continuo/contracts';
import { formatId } from './ids.js';

/** Whole seconds. */
export const seconds = (durationMs: number): number => Math.round(durationMs / 1000);

/** A number that is only known when it is above zero. */
export const positive = (value: number | null | undefined): number | undefined =>
  value !== null && value !== undefined && value > 0 ? value : undefined;

/** The printed artist line, else the names in their order; undefined when nobody is known. */
export const artistLine = (displayed: string | undefined, artists: readonly NameRef[]): string | undefined =>
  displayed ?? (artists.length > 0 ? artists.map((artist) => artist.name).join(', ') : undefined);

/** The one genre of answers that have room for one only. */
export const firstGenre = (genres: readonly TagRef[]): string | undefined => genres[0]?.name;

/** Id of the first of the artists, as the wire spells it. */
export const firstArtistId = (artists: readonly NameRef[]): string | undefined => artists[0] && formatId('artist', artists[0].id);
