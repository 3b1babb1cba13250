import type { LyricsDocument } from '@continuo/contracts';
import { sql } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';

/** All texts of a song; none when it has no lyrics. */
export const lyricsOfSong = async (db: ReadDatabase, songId: number): Promise<LyricsDocument> => {
  const row = await db.selectFrom('library.song_lyrics').select('lyrics').where('song_id', '=', songId).executeTakeFirst();
  return row ? (JSON.parse(row.lyrics) as LyricsDocument) : [];
};

/** A song with lyrics by its folded title and, if given, the folded name of one of its artists. */
export const songIdByArtistAndTitle = async (
  db: ReadDatabase,
  viewer: Viewer,
  named: { title: string; artist: string | undefined },
): Promise<number | undefined> => {
  let query = db
    .selectFrom('library.song as s')
    .innerJoin('library.song_lyrics as l', 'l.song_id', 's.id')
    .select('s.id')
    .where('s.title_sort', '=', named.title)
    .where(inVisibleCatalogs(viewer, sql`s.catalog_id`));
  const { artist } = named;
  if (artist !== undefined) {
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('library.song_artist as sa')
          .innerJoin('library.artist as a', 'a.id', 'sa.artist_id')
          .select('a.id')
          .whereRef('sa.song_id', '=', 's.id')
          .where('a.name_sort', '=', artist),
      ),
    );
  }
  return (await query.orderBy('s.id').limit(1).executeTakeFirst())?.id;
};

/** Songs of one title that are looked through for an artist as printed; more of one title than that are rare even in large libraries. */
const SAME_TITLE = 200;

/** Songs of a folded title, those with lyrics first; so many at most that their documents can be looked through. */
export const songIdsByTitle = async (db: ReadDatabase, viewer: Viewer, title: string): Promise<number[]> => {
  const rows = await db
    .selectFrom('library.song as s')
    .leftJoin('library.song_lyrics as l', 'l.song_id', 's.id')
    .select('s.id')
    .where('s.title_sort', '=', title)
    .where(inVisibleCatalogs(viewer, sql`s.catalog_id`))
    .orderBy(sql`l.song_id is null`)
    .orderBy('s.id')
    .limit(SAME_TITLE)
    .execute();
  return rows.map(({ id }) => id);
};
