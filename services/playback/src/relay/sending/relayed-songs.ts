import type { ReadModel, SongDocument } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import type { Listen } from '../listen.js';

/** Metadata of a song for a listen. */
export type SongFacts = Omit<Listen, 'position' | 'playedAtMs' | 'client'>;

/** Songs that were looked up. */
export interface FoundSongs {
  /** By id; null for one that is known to be gone, nothing for one of which nothing is known. */
  readonly songs: ReadonlyMap<number, SongFacts | null>;
  /** Songs with greater numbers may still come: the library's tables are behind, or are filled anew. */
  readonly knownUpTo: number;
}

/** Looks up songs to scrobble. */
export interface RelayedSongs {
  byIds(ids: readonly number[]): Promise<FoundSongs>;
}

/** Stands for the whole library. */
const ALL_CATALOGS = 0;
const MBID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ISRC = /^[A-Z]{2}[A-Z0-9]{3}\d{7}$/;

/** Tags hold anything; one listen with an id that is none would have a whole batch refused. */
const mbid = (text: string | undefined): string | undefined => {
  const lower = text?.trim().toLowerCase();
  return lower !== undefined && MBID.test(lower) ? lower : undefined;
};

const isrcOf = ([first]: readonly string[]): string | undefined => {
  const plain = first?.replaceAll('-', '').trim().toUpperCase();
  return plain !== undefined && ISRC.test(plain) ? plain : undefined;
};

/** Names that scans write where tags have none: no artist, no album. */
const NO_NAMES: ReadonlySet<string> = new Set(['[Unknown Artist]', '[Unknown Album]']);

const textOf = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' || NO_NAMES.has(text) ? undefined : text;
const namesOf = (refs: readonly { readonly name: string }[]): string | undefined => textOf(refs.map(({ name }) => name).join(', '));

/** Metadata of a song for services. */
export const songFacts = (song: SongDocument): SongFacts => ({
  songId: song.id,
  artist: textOf(song.displayArtist) ?? namesOf(song.artists) ?? '',
  title: song.title,
  album: textOf(song.album.name),
  albumArtist: textOf(song.displayAlbumArtist) ?? namesOf(song.albumArtists),
  durationMs: song.durationMs,
  track: song.track > 0 ? song.track : undefined,
  disk: song.disk > 0 ? song.disk : undefined,
  recordingMbid: mbid(song.mbid),
  trackMbid: mbid(song.mbTrackId),
  releaseMbid: mbid(song.album.mbid),
  artistMbids: song.artists.flatMap((artist) => mbid(artist.mbid) ?? []),
  isrc: isrcOf(song.isrcs ?? []),
});

/** Songs as the library's views show them. */
export const relayedSongsInView = (untyped: Kysely<unknown>): RelayedSongs => {
  const db = untyped as Kysely<ReadModel>;
  return {
    byIds: async (ids) => {
      const wanted = [...new Set(ids)];
      if (wanted.length === 0) return { songs: new Map(), knownUpTo: Infinity };
      const found = await db.selectFrom('library.song').select(['id', 'doc']).where('id', 'in', wanted).execute();
      const songs = new Map<number, SongFacts | null>(found.map(({ id, doc }) => [id, songFacts(JSON.parse(doc) as SongDocument)]));
      const missing = wanted.filter((id) => !songs.has(id));
      if (missing.length === 0) return { songs, knownUpTo: Infinity };
      const gone = await db.selectFrom('library.deleted_song').select('song_id').where('song_id', 'in', missing).execute();
      for (const { song_id } of gone) songs.set(song_id, null);
      const counter = await db
        .selectFrom('library.counter')
        .select('max_id')
        .where('kind', '=', 'song')
        .where('catalog_id', '=', ALL_CATALOGS)
        .executeTakeFirst();
      return { songs, knownUpTo: counter?.max_id ?? 0 };
    },
  };
};
