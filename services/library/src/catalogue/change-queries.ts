import { rawQuery, type ProjectedQuery } from '@continuo/chassis';
import { sql } from 'kysely';
import type { BatchChanges } from './batch-changes.js';
import { folderQueries } from './folder-queries.js';
import { overIds, overRows, type Handle } from './handle.js';
import { nameQueries } from './name-queries.js';
import { songQueries } from './song-queries.js';

/** Notes every album whose songs, picture or credits a batch changes; comes before the changes themselves. */
export const touchAlbums = (changes: BatchChanges, db: Handle): ProjectedQuery[] => {
  const touch = (ids: readonly number[], albums: (ids: ReturnType<typeof sql>) => ReturnType<typeof sql>): ProjectedQuery[] =>
    overIds(ids, (list) => sql`insert into touched_album ${albums(list)} on conflict do nothing`, db);
  const withArt = [...changes.folders.values()].filter((folder) => folder.art !== undefined).map(({ id }) => id);
  return [
    ...touch([...changes.albums.keys()], (ids) => sql`select * from unnest(${ids})`),
    ...touch(changes.knownSongs(), (ids) => sql`select distinct album_id from song where id = any(${ids})`),
    ...touch(withArt, (ids) => sql`select distinct album_id from song where folder_id = any(${ids})`),
  ];
};

/** Writes the rows that a batch of folder events leads to. */
export const changeQueries = (changes: BatchChanges, db: Handle): ProjectedQuery[] => [
  ...folderQueries(changes, db),
  ...artQueries(changes, db),
  ...nameQueries(changes, db),
  ...songQueries(changes, db),
  ...mergedGenres(changes, db),
];

const artQueries = (changes: BatchChanges, db: Handle): ProjectedQuery[] =>
  overRows(
    [...changes.art.values()].map((art) => ({
      hash: art.hash,
      mime: art.mime,
      size_bytes: art.sizeBytes,
      width_px: art.widthPx ?? null,
      height_px: art.heightPx ?? null,
    })),
    (json) => sql`insert into art select * from json_populate_recordset(null::art, ${json}) on conflict (hash) do nothing`,
    db,
  );

/** Songs whose tags name a merged genre carry what it was merged into. */
const mergedGenres = (changes: BatchChanges, db: Handle): ProjectedQuery[] => {
  const tagged = changes.presentSongs().filter((song) => song.track.genreIds.length > 0);
  const ids = tagged.map((song) => song.row.id);
  if (ids.length === 0) return [];
  return [
    rawQuery(
      sql`insert into touched_song select distinct g.song_id from song_genre g
        where (select exists (select 1 from genre_target)) and g.song_id = any(${ids}::bigint[])
          and exists (select 1 from genre_target m where m.genre_id = g.genre_id)`,
      db,
    ),
    rawQuery(sql`select carry_genres()`, db),
  ];
};
