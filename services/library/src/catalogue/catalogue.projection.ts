import { rawQuery, type Filling, type ProjectedQuery, type Projection } from '@continuo/chassis';
import { folderEvents, type CatalogEvent, type FolderEvent, type GenreEvent, type RecordedEvent } from '@continuo/contracts';
import { sql } from 'kysely';
import { BatchChanges } from './batch-changes.js';
import { catalogueDdl, catalogueReaderIndexes, catalogueTables } from './catalogue.ddl.js';
import { addCatalog, changeCatalog, moveCatalog, removeCatalog } from './catalog-queries.js';
import { changeQueries, touchAlbums } from './change-queries.js';
import { albumContributions, genresOfSongs, songsAdded, songsCounted } from './contributions.js';
import { derivations } from './derivations.js';
import { startFillingThread } from './filling-thread.js';
import { folderSongsAfter, folderSongsBefore } from './folder-queries.js';
import { hideGenre, mergeGenre, touchAroundSongs, touchSongsOfGenre } from './genre-queries.js';
import type { Handle } from './handle.js';
import { albumSummaries, artistSummaries, forgetTouched, listsChanged, songListsAt } from './summary-queries.js';

/** The statements for some events. Tables that are filled get the rows alone: `summedUp` is made of all of them at the end. */
interface Step {
  readonly rows: readonly ProjectedQuery[];
  /** The same, with the sums and documents that follow from the rows. */
  readonly summedUp: () => readonly ProjectedQuery[];
}

/** A step that changes no sums. */
const plain = (rows: readonly ProjectedQuery[]): Step => ({ rows, summedUp: () => rows });

/** The statements for a run of folder events. */
const folderRun = (changes: BatchChanges, db: Handle): Step => {
  const { listPosition, folderPosition, deletedPosition } = changes;
  const folder = Math.max(listPosition, folderPosition);
  const versions = listsChanged({ ...songListsAt(listPosition), folder, deleted_song: deletedPosition }, db);
  const rows = changeQueries(changes, db);
  const step = plain([...rows, ...versions]);
  if (listPosition === 0) return step;
  const summedUp = () => {
    const known = changes.knownSongs();
    const before = sql`select unnest(${known}::bigint[])`;
    const after = sql`select unnest(${changes.presentSongs().map(({ row }) => row.id)}::bigint[])`;
    return [
      ...touchAlbums(changes, db),
      ...(known.length > 0 ? [...songsCounted(-1, before, db), genresOfSongs(-1, before, db)] : []),
      ...folderSongsBefore(changes, db),
      ...albumsRecounted([...rows, folderSongsAfter(changes, db)], db),
      ...songsAdded(changes, db),
      genresOfSongs(1, after, db),
      ...artistSummaries(db),
      forgetTouched(db),
      ...versions,
    ];
  };
  return { ...step, summedUp };
};

/** The statements for the end of a catalog. */
const catalogRemoval = (event: RecordedEvent<CatalogEvent>, db: Handle): Step => {
  const { catalogId } = event.data;
  const songs = sql`select id from song where catalog_id = ${catalogId}`;
  const rows = removeCatalog(catalogId, event.at, db);
  const versions = listsChanged({ ...songListsAt(event.position), deleted_song: event.position }, db);
  const summedUp = () => [
    rawQuery(sql`insert into touched_album select id from album where catalog_id = ${catalogId} on conflict do nothing`, db),
    ...songsCounted(-1, songs, db),
    genresOfSongs(-1, songs, db),
    ...albumsRecounted(rows, db),
    ...artistSummaries(db),
    forgetTouched(db),
    ...versions,
  ];
  return { rows: [...rows, ...versions], summedUp };
};

/** The statements for what an administrator decided about a genre. */
const genreDecision = (recorded: RecordedEvent, db: Handle): Step => {
  const event = recorded as RecordedEvent & GenreEvent;
  const { genreId } = event.data;
  const { position } = recorded;
  if (event.type === 'GenreHidden' || event.type === 'GenreShown')
    return plain([...hideGenre(genreId, event.type === 'GenreHidden', db), ...listsChanged({ genre: position }, db)]);
  const intoIds = event.type === 'GenreMerged' ? event.data.intoIds : [];
  const songs = sql`select song_id from touched_song`;
  const touched = touchSongsOfGenre(genreId, db);
  const merged = mergeGenre({ genreId, intoIds }, db);
  const end = [forgetTouched(db), ...listsChanged({ song: position, album: position, artist: position, genre: position }, db)];
  const summedUp = () => [
    touched,
    ...touchAroundSongs(db),
    genresOfSongs(-1, songs, db),
    ...merged,
    ...albumSummaries(db),
    genresOfSongs(1, songs, db),
    ...artistSummaries(db),
    ...end,
  ];
  return { rows: [touched, ...merged, ...end], summedUp };
};

/** Takes off what touched albums contributed, makes the changes, sums the albums up, and adds again what they contribute now. */
const albumsRecounted = (changes: readonly ProjectedQuery[], db: Handle): ProjectedQuery[] => [
  albumContributions(-1, db),
  ...changes,
  ...albumSummaries(db),
  albumContributions(1, db),
];

/** Events that concern all rows of a catalog or a genre: each cuts the batch. */
const aloneStanding: Readonly<Record<string, (event: RecordedEvent, db: Handle) => Step>> = {
  CatalogAdded: (event, db) =>
    plain(addCatalog((event as RecordedEvent<Extract<CatalogEvent, { type: 'CatalogAdded' }>>).data, event.at, db)),
  CatalogChanged: (event, db) => plain(changeCatalog((event as RecordedEvent<Extract<CatalogEvent, { type: 'CatalogChanged' }>>).data, db)),
  CatalogMoved: (event, db) => plain(moveCatalog((event as RecordedEvent<Extract<CatalogEvent, { type: 'CatalogMoved' }>>).data, db)),
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
const project = (events: readonly RecordedEvent[], db: Handle): Step[] => {
  const steps: Step[] = [];
  let changes = new BatchChanges();
  const flush = (): void => {
    steps.push(folderRun(changes, db));
    changes = new BatchChanges();
  };
  for (const event of events) {
    const alone = aloneStanding[event.type];
    if (alone) {
      flush();
      steps.push(alone(event, db));
    } else changes.apply(event as RecordedEvent<FolderEvent>);
  }
  flush();
  return steps;
};

/** How its tables are filled beside others. */
export const catalogueFilling: Filling = {
  project: (events, db) => project(events, db as unknown as Handle).flatMap(({ rows }) => rows),
  derive: (db) => derivations(db as unknown as Handle),
  startThread: startFillingThread,
};

/** The projection of EV_LIBRARY that the read model's `library` schema shows. */
export const catalogueProjection: Projection = {
  name: 'library-catalogue',
  version: 8,
  context: 'library',
  publishedSchema: 'library',
  publishes: catalogueTables,
  ddl: catalogueDdl,
  readerIndexes: catalogueReaderIndexes,
  handles: [...folderEvents.map(({ type }) => type), ...Object.keys(aloneStanding)],
  project: (events, db) => project(events, db as unknown as Handle).flatMap(({ summedUp }) => summedUp()),
  filling: catalogueFilling,
};
