import type { ProjectedQuery } from '@continuo/chassis';
import { sql } from 'kysely';
import type { BatchChanges } from './batch-changes.js';
import { folderQueries } from './folder-queries.js';
import { overIds, rowBatches, type Handle } from './handle.js';
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
  ...highestIds(changes, db),
];

const artQueries = (changes: BatchChanges, db: Handle): ProjectedQuery[] =>
  rowBatches(
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
  return overIds(
    tagged.map((song) => song.row.id),
    (ids) => sql`select carry_genres_of(${ids})`,
    db,
  );
};

/** Notes the highest id that was given to each kind of thing, also to songs that came and went within the batch. */
const highestIds = (changes: BatchChanges, db: Handle): ProjectedQuery[] => {
  const { artists, albums, genres, moods, labels, licenses, songs } = changes;
  const folder = [...changes.folders.values()].filter(({ path }) => path !== undefined).map(({ id }) => [id] as const);
  const kinds: Record<string, Iterable<readonly [number, ...unknown[]]>> = {
    artist: artists,
    album: albums,
    genre: genres,
    mood: moods,
    label: labels,
    license: licenses,
    song: songs,
    folder,
  };
  const rows = Object.entries(kinds).flatMap(([kind, entries]) => {
    let max_id = 0;
    for (const [id] of entries) max_id = Math.max(max_id, id);
    return max_id > 0 ? [{ kind, catalog_id: 0, total: 0, max_id, version: 0 }] : [];
  });
  return rowBatches(
    rows,
    (json) => sql`insert into counter as t select * from json_populate_recordset(null::counter, ${json})
      on conflict (kind, catalog_id) do update set max_id = greatest(t.max_id, excluded.max_id)`,
    db,
  );
};
