import type { ProjectedQuery } from '@continuo/chassis';
import { sortKey, splitName, type AlbumRef } from '@continuo/contracts';
import { sql } from 'kysely';
import type { BatchChanges } from './batch-changes.js';
import { overIds, rowBatches, type Handle } from './handle.js';
import { randomKey } from './names.js';

const byId = (a: { id: number }, b: { id: number }): number => a.id - b.id;

/** Artists, albums, genres, moods, labels and licences under the names that the log gives them; what a later event says of them counts. */
export const nameQueries = (changes: BatchChanges, db: Handle): ProjectedQuery[] => {
  const artists = artistRows(changes);
  const genres = namedRows(changes.genres);
  const moods = [...changes.moods].map(([id, name]) => ({ id, name })).toSorted(byId);
  const labels = namedRows(changes.labels);
  const licenses = [...changes.licenses.values()]
    .map(({ id, name, externalLink }) => ({ id: id as number, name, name_sort: sortKey(name), external_link: externalLink }))
    .toSorted(byId);
  return [
    ...rowBatches(
      artists,
      (json) => sql`insert into artist as t (id, name, prefix, basename, name_sort, mbid, sort_name, added_at_ms, random_key)
        select id, name, prefix, basename, name_sort, mbid, sort_name, added_at_ms, random_key from json_populate_recordset(null::artist, ${json})
        on conflict (id) do update set mbid = coalesce(excluded.mbid, t.mbid), sort_name = coalesce(excluded.sort_name, t.sort_name)
        where coalesce(excluded.mbid, t.mbid) is distinct from t.mbid or coalesce(excluded.sort_name, t.sort_name) is distinct from t.sort_name`,
      db,
    ),
    ...plainNames('genre', genres, db),
    ...rowBatches(
      moods,
      (json) => sql`insert into mood select * from json_populate_recordset(null::mood, ${json}) on conflict do nothing`,
      db,
    ),
    ...plainNames('label', labels, db),
    ...rowBatches(
      licenses,
      (json) => sql`insert into license as t (id, name, name_sort, external_link)
        select id, name, name_sort, external_link from json_populate_recordset(null::license, ${json})
        on conflict (id) do update set external_link = excluded.external_link where excluded.external_link not in ('', t.external_link)`,
      db,
    ),
    ...albumQueries(changes, db),
  ];
};

const artistRows = (changes: BatchChanges) =>
  [...changes.artists.values()].toSorted(byId).map((artist) => ({
    id: artist.id as number,
    name: artist.name,
    ...splitName(artist.name),
    name_sort: sortKey(artist.name),
    mbid: artist.mbid ?? null,
    sort_name: artist.sortName ?? null,
    added_at_ms: artist.firstSeenAtMs,
    random_key: randomKey(artist.id),
  }));

const namedRows = (names: ReadonlyMap<number, string>) =>
  [...names].map(([id, name]) => ({ id, name, name_sort: sortKey(name) })).toSorted(byId);

const plainNames = (table: 'genre' | 'label', rows: readonly object[], db: Handle): ProjectedQuery[] =>
  rowBatches(
    rows,
    (json) => sql`insert into ${sql.table(table)} (id, name, name_sort)
      select id, name, name_sort from json_populate_recordset(null::${sql.table(table)}, ${json}) on conflict do nothing`,
    db,
  );

const albumQueries = (changes: BatchChanges, db: Handle): ProjectedQuery[] => {
  const refs = [...changes.albums.values()];
  const albums = refs.map(albumRow).toSorted(byId);
  const ids = albums.map(({ id }) => id);
  const credits = refs.flatMap(({ ref }) => ref.artistIds.map((artist_id, position) => ({ album_id: ref.id, artist_id, position })));
  const labels = refs.flatMap(({ ref }) => (ref.labelIds ?? []).map((label_id, position) => ({ album_id: ref.id, label_id, position })));
  return [
    ...rowBatches(
      albums,
      (
        json,
      ) => sql`insert into album (id, catalog_id, name, prefix, basename, name_sort, album_artist_id, original_year, release_type, mbid, mbid_group,
          version, barcode, catalog_number, release_status, random_key, tags)
        select id, catalog_id, name, prefix, basename, name_sort, album_artist_id, original_year, release_type, mbid, mbid_group,
          version, barcode, catalog_number, release_status, random_key, tags
        from json_populate_recordset(null::album, ${json})
        on conflict (id) do update set original_year = excluded.original_year, release_type = excluded.release_type, mbid = excluded.mbid,
          mbid_group = excluded.mbid_group, version = excluded.version, barcode = excluded.barcode, catalog_number = excluded.catalog_number,
          release_status = excluded.release_status, album_artist_id = excluded.album_artist_id, tags = excluded.tags`,
      db,
    ),
    ...overIds(ids, (list) => sql`delete from album_artist where album_id = any(${list})`, db),
    ...overIds(ids, (list) => sql`delete from album_label where album_id = any(${list})`, db),
    ...rowBatches(
      credits,
      (json) => sql`insert into album_artist select * from json_populate_recordset(null::album_artist, ${json}) on conflict do nothing`,
      db,
    ),
    ...rowBatches(
      labels,
      (json) => sql`insert into album_label select * from json_populate_recordset(null::album_label, ${json}) on conflict do nothing`,
      db,
    ),
  ];
};

const albumRow = ({ ref, catalogId }: { ref: AlbumRef; catalogId: number }) => ({
  id: ref.id as number,
  catalog_id: catalogId,
  name: ref.name,
  ...splitName(ref.name),
  name_sort: sortKey(ref.name),
  album_artist_id: ref.artistIds[0] ?? null,
  original_year: ref.originalYear ?? null,
  release_type: ref.releaseTypes[0] ?? null,
  mbid: ref.mbAlbumId ?? null,
  mbid_group: ref.mbReleaseGroupId ?? null,
  version: ref.version ?? null,
  barcode: ref.barcode ?? null,
  catalog_number: ref.catalogNumber ?? null,
  release_status: ref.releaseStatus ?? null,
  random_key: randomKey(ref.id),
  tags: {
    recordLabels: ref.recordLabels,
    releaseTypes: ref.releaseTypes,
    sortName: ref.sortName,
    version: ref.version,
    releaseDate: ref.releaseDate,
    originalDate: ref.originalDate,
    releaseStatus: ref.releaseStatus,
    barcode: ref.barcode,
    catalogNumber: ref.catalogNumber,
    compilation: ref.compilation,
    year: ref.year ?? ref.originalYear,
  },
});
