import { rawQuery, type ProjectedQuery, type Projection } from '@continuo/chassis';
import type { CatalogEvent, FolderEvent, GenreEvent, RecordedEvent } from '@continuo/contracts';
import { sql, type RawBuilder } from 'kysely';
import { BatchChanges } from './batch-changes.js';
import { catalogueDdl, catalogueTables } from './catalogue.ddl.js';
import { addCatalog, removeCatalog } from './catalog-queries.js';
import { changeQueries, touchAlbums } from './change-queries.js';
import { albumContributions, licenseContributions, songContributions } from './contributions.js';
import { folderSongsAfter, folderSongsBefore } from './folder-queries.js';
import { hideGenre, mergeGenre, touchSongsOfGenre } from './genre-queries.js';
import type { Handle } from './handle.js';
import { albumSummaries, artistSummaries, forgetTouched, listsChanged, songListKinds } from './summary-queries.js';

/** The statements for a run of folder events. */
const folderRun = (changes: BatchChanges, db: Handle): ProjectedQuery[] => {
  const versions = [
    ...listsChanged(songListKinds, changes.listPosition, db),
    ...listsChanged(['folder'], changes.folderPosition, db),
    ...listsChanged(['deleted_song'], changes.deletedPosition, db),
  ];
  if (changes.listPosition === 0) return [...changeQueries(changes, db), ...versions];
  const [known, present] = [changes.knownSongs(), changes.presentSongs().map(({ row }) => row.id)];
  const songs = {
    ...(known.length > 0 ? { before: sql`select unnest(${known}::bigint[])` } : {}),
    ...(present.length > 0 ? { after: sql`select unnest(${present}::bigint[])` } : {}),
  };
  const rows = [...folderSongsBefore(changes, db), ...changeQueries(changes, db), ...folderSongsAfter(changes, db)];
  return [...touchAlbums(changes, db), ...recounted(songs, rows, db), ...versions];
};

/** The statements for the end of a catalog. */
const catalogRemoval = (event: RecordedEvent<CatalogEvent>, db: Handle): ProjectedQuery[] => {
  const { catalogId } = event.data;
  const touched = rawQuery(sql`insert into touched_album select id from album where catalog_id = ${catalogId} on conflict do nothing`, db);
  const songs = { before: sql`select id from song where catalog_id = ${catalogId}` };
  const rows = removeCatalog(catalogId, event.at, db);
  return [touched, ...recounted(songs, rows, db), ...listsChanged([...songListKinds, 'deleted_song'], event.position, db)];
};

/** The statements for what an administrator decided about a genre. */
const genreDecision = (recorded: RecordedEvent, db: Handle): ProjectedQuery[] => {
  const event = recorded as RecordedEvent & GenreEvent;
  const { genreId } = event.data;
  if (event.type === 'GenreHidden' || event.type === 'GenreShown')
    return [...hideGenre(genreId, event.type === 'GenreHidden', db), ...listsChanged(['genre'], event.position, db)];
  const intoIds = event.type === 'GenreMerged' ? event.data.intoIds : [];
  const songs = sql`select song_id from touched_song`;
  return [
    ...touchSongsOfGenre(genreId, db),
    ...recounted({ before: songs, after: songs }, mergeGenre({ genreId, intoIds }, db), db),
    ...listsChanged(['song', 'album', 'artist', 'genre'], event.position, db),
  ];
};

/**
 * Takes off what songs and touched albums contributed, makes the changes, and adds again what they contribute now.
 * @param songs queries for the ids of the songs that count before and after the change; none = no song
 */
const recounted = (
  songs: { readonly before?: RawBuilder<unknown>; readonly after?: RawBuilder<unknown> },
  changes: readonly ProjectedQuery[],
  db: Handle,
): ProjectedQuery[] => [
  ...(songs.before ? [...songContributions(-1, songs.before, db), licenseContributions(-1, songs.before, db)] : []),
  ...albumContributions(-1, db),
  ...changes,
  ...albumSummaries(db),
  ...(songs.after ? [...songContributions(1, songs.after, db), licenseContributions(1, songs.after, db)] : []),
  ...albumContributions(1, db),
  ...artistSummaries(db),
  ...forgetTouched(db),
];

/** Events that concern all rows of a catalog or a genre: each cuts the batch. */
const aloneStanding: Readonly<Record<string, (event: RecordedEvent, db: Handle) => ProjectedQuery[]>> = {
  CatalogAdded: (event, db) => addCatalog((event as RecordedEvent<Extract<CatalogEvent, { type: 'CatalogAdded' }>>).data, event.at, db),
  CatalogRemoved: (event, db) => catalogRemoval(event as RecordedEvent<CatalogEvent>, db),
  GenreHidden: genreDecision,
  GenreShown: genreDecision,
  GenreMerged: genreDecision,
  GenreUnmerged: genreDecision,
};

/**
 * The catalogue: songs, albums, artists, genres, folders and files as lists and pages need them. Folder events are netted within a batch and
 * written set by set.
 */
const project = (events: readonly RecordedEvent[], db: Handle): ProjectedQuery[] => {
  const queries: ProjectedQuery[] = [];
  let changes = new BatchChanges();
  const flush = (): void => {
    queries.push(...folderRun(changes, db));
    changes = new BatchChanges();
  };
  for (const event of events) {
    const alone = aloneStanding[event.type];
    if (alone) {
      flush();
      queries.push(...alone(event, db));
    } else changes.apply(event as RecordedEvent<FolderEvent>);
  }
  flush();
  return queries;
};

/** The projection of EV_LIBRARY that the read model's `library` schema shows. */
export const catalogueProjection: Projection = {
  name: 'library-catalogue',
  version: 2,
  context: 'library',
  publishedSchema: 'library',
  publishes: catalogueTables,
  ddl: catalogueDdl,
  project: (events, db) => project(events, db as unknown as Handle),
};
