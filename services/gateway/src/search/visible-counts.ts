import { sql } from 'kysely';
import { inVisibleCatalogs, seesAll, type Viewer } from '../reads/visibility/viewer.js';
import { col, type Related } from './subject.js';
import type { Value } from './text-tests.js';

/*
 * Counts over the whole library for viewers who see all catalogs, and over the visible catalogs for all others.
 */

const seen = (viewer: Viewer, alias: string): Value => inVisibleCatalogs(viewer, col<number>(alias, 'catalog_id'));

/** Columns of an artist that sum up what it is credited on. */
export type ArtistSum = 'song_count' | 'album_count' | 'duration_ms';

/** A sum of the artist under an alias. */
export const artistSum = (viewer: Viewer, alias: string, sum: ArtistSum): Value => {
  if (seesAll(viewer)) return col(alias, sum);
  if (sum === 'duration_ms') {
    return sql`(select coalesce(sum(vs.duration_ms), 0) from library.song_artist va join library.song vs on vs.id = va.song_id
      where va.artist_id = ${col(alias, 'id')} and ${seen(viewer, 'vs')})`;
  }
  return sql`(select coalesce(sum(${col('vc', sum)}), 0) from library.artist_catalog vc where vc.artist_id = ${col(alias, 'id')} and ${seen(viewer, 'vc')})`;
};

const counted: Readonly<Record<Related, Value>> = {
  song: sql`count(*)`,
  album: sql`count(distinct vs.album_id)`,
  artist: sql`count(distinct va.artist_id)`,
};

/** Counts songs, albums or artists of the genre under an alias. */
export const genreCount = (viewer: Viewer, alias: string, of: Related): Value => {
  if (seesAll(viewer)) return col(alias, `${of}_count`);
  const credits = of === 'artist' ? sql`join library.song_artist va on va.song_id = vs.id` : sql``;
  return sql`(select ${counted[of]} from library.song_genre vg join library.song vs on vs.id = vg.song_id ${credits}
    where vg.genre_id = ${col(alias, 'id')} and ${seen(viewer, 'vs')})`;
};

/** Counts videos of the genre under an alias. */
export const videoCount = (viewer: Viewer, alias: string): Value =>
  sql`(select count(*) from library.video_genre vg join library.video vv on vv.id = vg.video_id where vg.genre_id = ${col(alias, 'id')} and ${seen(viewer, 'vv')})`;
