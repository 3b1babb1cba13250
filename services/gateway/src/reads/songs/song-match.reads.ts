import { sortKey } from '@continuo/contracts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';

/** Names of a song in an external source. */
export interface SongNames {
  readonly title: string;
  readonly artist: string;
  readonly album: string;
  /** MusicBrainz ids; each that is given must be the song's, artist's or album's as well. */
  readonly songMbid?: string | undefined;
  readonly artistMbid?: string | undefined;
  readonly albumMbid?: string | undefined;
}

const mbidCondition = (columns: readonly RawBuilder<unknown>[], mbid: string | undefined): RawBuilder<SqlBool> =>
  mbid === undefined || mbid === ''
    ? sql<SqlBool>`true`
    : sql<SqlBool>`(${sql.join(
        columns.map((column) => sql`lower(${column}) = ${mbid.toLowerCase()}`),
        sql` or `,
      )})`;

/**
 * The song of a title, an artist (of the song or of the album) and an album; letter case, accents and leading articles do not matter. The
 * oldest of several; undefined when there is none for the viewer.
 */
export const songNamed = async (db: ReadDatabase, names: SongNames, viewer: Viewer): Promise<number | undefined> => {
  const artist = (table: RawBuilder<unknown>, owner: RawBuilder<SqlBool>): RawBuilder<SqlBool> =>
    sql<SqlBool>`exists (select from ${table} x join library.artist ar on ar.id = x.artist_id
      where ${owner} and ar.name_sort = ${sortKey(names.artist)} and ${mbidCondition([sql`ar.mbid`], names.artistMbid)})`;
  const { rows } = await sql<{ id: number }>`
    select s.id from library.song s join library.album a on a.id = s.album_id
    where s.title_sort = ${sortKey(names.title)} and a.name_sort = ${sortKey(names.album)} and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)}
      and ${mbidCondition([sql`s.mbid`, sql`s.doc::jsonb ->> 'mbTrackId'`], names.songMbid)}
      and ${mbidCondition([sql`a.mbid`, sql`a.mbid_group`], names.albumMbid)}
      and (${artist(sql`library.song_artist`, sql<SqlBool>`x.song_id = s.id`)} or ${artist(sql`library.album_artist`, sql<SqlBool>`x.album_id = a.id`)})
    order by s.id limit 1`.execute(db);
  return rows[0]?.id;
};
