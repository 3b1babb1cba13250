import type { ExternalMetadataKind, FoundArtistInfo, ReadModel } from '@continuo/contracts';
import type { AlbumQuery, ArtistQuery, LabelQuery, SongQuery } from '@continuo/plugins';
import type { Kysely } from 'kysely';

/** Reads the queries for plug-ins about objects of the library; undefined for an unknown id. */
export interface FactsSubjects {
  artist(id: number): Promise<ArtistQuery | undefined>;
  album(id: number): Promise<AlbumQuery | undefined>;
  song(id: number): Promise<SongQuery | undefined>;
  label(id: number): Promise<LabelQuery | undefined>;
  /** When plug-ins were last asked about an artist, epoch ms, whether all could be, and what is known since. */
  artistAsked(id: number): Promise<ArtistAsked | undefined>;
}

/** Stored outcome of asking plug-ins about an artist. */
export interface ArtistAsked {
  readonly atMs: number;
  readonly isComplete: boolean;
  readonly info?: Omit<FoundArtistInfo, 'isComplete' | 'sources'>;
}

const text = (value: string | null): string | undefined => value ?? undefined;

/** The same, from the library's views. */
export const factsSubjects = (db: Kysely<ReadModel>): FactsSubjects => ({
  artist: async (id) => {
    const row = await db
      .selectFrom('library.artist as a')
      .leftJoin('library.artist_info as i', 'i.artist_id', 'a.id')
      .select(['a.name', 'a.mbid', 'i.mbid as found'])
      .where('a.id', '=', id)
      .executeTakeFirst();
    return row && { name: row.name, mbid: text(row.mbid ?? row.found) };
  },
  album: async (id) => {
    const row = await db
      .selectFrom('library.album as a')
      .leftJoin('library.artist as ar', 'ar.id', 'a.album_artist_id')
      .select(['a.name', 'a.mbid', 'a.mbid_group as mbidGroup', 'a.year', 'ar.name as artist'])
      .where('a.id', '=', id)
      .executeTakeFirst();
    if (!row) return undefined;
    return { name: row.name, artist: text(row.artist), mbid: text(row.mbid), mbidGroup: text(row.mbidGroup), year: row.year || undefined };
  },
  song: async (id) => {
    const row = await db
      .selectFrom('library.song as s')
      .leftJoin('library.artist as ar', 'ar.id', 's.artist_id')
      .innerJoin('library.album as al', 'al.id', 's.album_id')
      .select(['s.title', 's.mbid', 's.duration_ms as durationMs', 'ar.name as artist', 'al.name as album'])
      .where('s.id', '=', id)
      .executeTakeFirst();
    return row && { title: row.title, artist: text(row.artist), album: row.album, mbid: text(row.mbid), durationMs: row.durationMs };
  },
  label: async (id) => {
    const row = await db.selectFrom('library.label').select('name').where('id', '=', id).executeTakeFirst();
    return row && { name: row.name };
  },
  artistAsked: async (id) => {
    const row = await db.selectFrom('library.artist_info').selectAll().where('artist_id', '=', id).executeTakeFirst();
    if (row === undefined) return undefined;
    const { mbid, summary, attribution, url } = row;
    const info = {
      mbid,
      summary,
      attribution,
      url,
      placeFormed: row.place_formed,
      yearFormed: row.year_formed,
      similar: JSON.parse(row.similar) as FoundArtistInfo['similar'],
      topSongs: JSON.parse(row.top_songs) as FoundArtistInfo['topSongs'],
    };
    return { atMs: row.found_at_ms, isComplete: row.is_complete, info };
  },
});

/** Reads the query for plug-ins about one object of a kind. */
export const subjectOf = (subjects: FactsSubjects, kind: ExternalMetadataKind, id: number) => subjects[kind](id);
