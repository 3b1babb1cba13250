/** External metadata that plug-ins know of the things of the library. The sender has checked that the caller may see the thing. */
import { z } from 'zod';
import { defineCommand } from '../define.js';
import { foundArtistInfo } from '../events/external-metadata.events.js';
import { albumId, artistId, songId } from '../ids.js';
import { artRef, lyricsText } from '../track.js';

const none = z.object({});

/** Records what plug-ins say of an artist. The same again changes nothing. */
export const recordArtistInfo = defineCommand('library', 'record-artist-info', z.object({ artistId, ...foundArtistInfo.shape }), none);

/** Records a picture that lies in the store of art. */
export const recordFoundArt = defineCommand(
  'library',
  'record-found-art',
  z.object({ of: z.union([z.object({ artistId }), z.object({ albumId })]), art: artRef, source: z.string().max(40) }),
  none,
);

/**
 * Asks plug-ins about an artist and records what they say. Without `isWanted` only when nobody was asked for long: that is how reads keep it fresh.
 * `isEnabled`: there is a plug-in that can be asked. `isKnown`: one of them has a biography or similar artists. Refused as `artist.not-found`.
 */
export const refreshArtistInfo = defineCommand(
  'ingest',
  'refresh-artist-info',
  z.object({ artistId, isWanted: z.boolean() }),
  z.object({ isEnabled: z.boolean(), isKnown: z.boolean() }),
);

/** Asks plug-ins for a picture, keeps the first that can be used and records it. `isFound` false: none has one, or none can be asked. */
export const findArt = defineCommand(
  'ingest',
  'find-art',
  z.object({ of: z.union([z.object({ artistId }), z.object({ albumId })]) }),
  z.object({ isEnabled: z.boolean(), isFound: z.boolean() }),
);

/** Kinds of things that plug-ins may know something of. */
export const externalMetadataKind = z.enum(['song', 'album', 'artist', 'label']);
export type ExternalMetadataKind = z.infer<typeof externalMetadataKind>;

const fact = z.union([z.string(), z.number(), z.array(z.union([z.string(), z.record(z.string(), z.union([z.string(), z.number()]))]))]);
export type Fact = z.infer<typeof fact>;

/** Asks plug-ins what they know of something; nothing is recorded. Facts have the names that the interface of plug-ins gives them. */
export const requestExternalMetadata = defineCommand(
  'ingest',
  'ask-facts',
  z.object({ kind: externalMetadataKind, id: z.int().positive() }),
  z.object({ answers: z.array(z.object({ plugin: z.string(), title: z.string(), facts: z.record(z.string(), fact) })) }),
);

/** Asks plug-ins for the words of a song; nothing is recorded. Times stand in those that have them. */
export const findLyrics = defineCommand(
  'ingest',
  'find-lyrics',
  z.object({ songId }),
  z.object({ found: z.array(z.object({ plugin: z.string(), title: z.string(), texts: z.array(lyricsText).max(2) })) }),
);

/** Says which plug-ins for facts, art and lyrics are in use: names of functions like `metadata.artist`. */
export const describePlugins = defineCommand(
  'ingest',
  'describe-plugins',
  none,
  z.object({
    plugins: z.array(
      z.object({ name: z.string(), title: z.string(), version: z.string(), sends: z.string(), functions: z.array(z.string()) }),
    ),
  }),
);
