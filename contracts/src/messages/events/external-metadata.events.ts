import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { albumId, artistId } from '../ids.js';
import { artRef } from '../track.js';

/** Most artists that an artist is said to be like, and most songs that are said to be played of it. */
export const MAX_FOUND_ARTISTS = 50;
export const MAX_FOUND_SONGS = 100;
/** Longest text about something, in characters. */
export const MAX_FOUND_SUMMARY = 20_000;

const mbid = z.string().regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
/** Name of a plug-in. */
const source = z.string().max(40);

/** External metadata of an artist. Null and empty: nothing found. */
export const foundArtistInfo = z.object({
  mbid: mbid.nullable(),
  /** Plain text. */
  summary: z.string().max(MAX_FOUND_SUMMARY).nullable(),
  /** Where the text comes from, and its licence. */
  attribution: z.string().max(1000).nullable(),
  placeFormed: z.string().max(200).nullable(),
  yearFormed: z.int().min(1).max(9999).nullable(),
  /** A page about it. */
  url: z.string().max(2000).nullable(),
  /** The likest first; most of them are not in the library. */
  similar: z
    .array(z.object({ name: z.string().min(1).max(500), mbid: mbid.nullable(), score: z.number().min(0).max(1).nullable() }))
    .max(MAX_FOUND_ARTISTS),
  /** Most played songs, the most played first. */
  topSongs: z.array(z.object({ title: z.string().min(1).max(500), mbid: mbid.nullable() })).max(MAX_FOUND_SONGS),
  /** False when some plug-in could not be asked: then it is asked again before long. */
  isComplete: z.boolean(),
  /** Plug-ins that said something of it. */
  sources: z.array(source).max(20),
});
export type FoundArtistInfo = z.infer<typeof foundArtistInfo>;

/** Plug-ins were asked about an artist; this is what they say together, instead of what they said before. */
export const artistInfoFound = defineEvent('ArtistInfoFound', z.object({ artistId, ...foundArtistInfo.shape }));
export type ArtistInfoEvent = EventOf<typeof artistInfoFound>;

/** A picture that a plug-in found for an artist or an album. It is shown where the files have none. */
export const artistArtFound = defineEvent('ArtistArtFound', z.object({ artistId, art: artRef, source }));
/** The same for an album. */
export const albumArtFound = defineEvent('AlbumArtFound', z.object({ albumId, art: artRef, source }));
export type FoundArtEvent = EventOf<typeof artistArtFound | typeof albumArtFound>;
