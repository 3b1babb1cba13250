import type { SongDocument } from '@continuo/contracts';
import { sql } from 'kysely';
import { ANNOTATED_AT_ONCE, annotationColumns, annotationsIn, annotationsOf, type Annotations } from '../people/annotations.reads.js';
import { FOLDED_BATCH, flowOf, heldFlow, type Flow } from '../../render/flow.js';
import { soundFacts, type SoundFacts } from '../../transcode/decision/sound-facts.js';
import type { VideoFacts } from '../../transcode/decision/video/decide-video.js';
import type { StreamRules } from '../../transcode/decision/stream-rules.js';
import type { ReadDatabase } from '../database/database.js';
import { isOneOf } from '../database/id-condition.js';
import { albumArtHash } from '../art/found-art.reads.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';

/** A song with what differs by user or changes without the song. */
export interface SongView {
  readonly doc: SongDocument;
  /** The picture that stands for the song when it has none of its own. */
  readonly albumArtHash: string | null;
  /** Plays by everybody. */
  readonly playCount: number;
  /** Epoch milliseconds; null when never played. */
  readonly lastPlayedAtMs: number | null;
  /** When the song came into the library, epoch milliseconds. */
  readonly addedAtMs: number;
  /** Absolute real path of the song's catalog. */
  readonly catalogPath: string;
  readonly annotations: Annotations;
  /** Stream rules of the viewer; absent: the file is sent as it is. */
  readonly streams?: StreamRules | undefined;
}

interface SongRow {
  readonly id: number;
  readonly doc: string;
  readonly albumArtHash: string | null;
  readonly playCount: number | null;
  readonly lastPlayedAtMs: number | null;
  readonly addedAtMs: number;
  readonly catalogPath: string | null;
}

/** Brings rows into the order of the ids that were asked for; ids without a row are left out. */
export const inOrder = <R extends { readonly id: number }>(ids: ArrayLike<number>, rows: readonly R[]): R[] => {
  const byId = new Map<number, R>();
  for (const row of rows) byId.set(row.id, row);
  const ordered: R[] = [];
  for (let index = 0; index < ids.length; index += 1) {
    const row = byId.get(ids[index] ?? 0);
    if (row) ordered.push(row);
  }
  return ordered;
};

const viewOf = (row: SongRow, annotations: Annotations, streams: StreamRules | undefined): SongView => ({
  doc: JSON.parse(row.doc) as SongDocument,
  albumArtHash: row.albumArtHash,
  playCount: row.playCount ?? 0,
  lastPlayedAtMs: row.lastPlayedAtMs,
  addedAtMs: row.addedAtMs,
  catalogPath: row.catalogPath ?? '',
  annotations,
  streams,
});

function* unfolded<R extends SongRow>(
  rows: Iterable<R>,
  annotationOf: (row: R) => Annotations,
  { streams }: Pick<Viewer, 'streams'>,
): Generator<SongView> {
  for (const row of rows) yield viewOf(row, annotationOf(row), streams);
}

/** Songs that a viewer may see, as they are shown. */
const visibleSongs = (db: ReadDatabase, viewer: Viewer) =>
  db
    .selectFrom('library.song as s')
    .leftJoin('library.album as a', 'a.id', 's.album_id')
    .leftJoin('library.catalog as c', 'c.id', 's.catalog_id')
    .leftJoin('playback.song_plays as p', 'p.song_id', 's.id')
    .select([
      's.id',
      's.doc',
      's.added_at_ms as addedAtMs',
      albumArtHash.as('albumArtHash'),
      'p.play_count as playCount',
      'p.last_played_at_ms as lastPlayedAtMs',
      'c.path as catalogPath',
    ])
    .where(inVisibleCatalogs(viewer, sql`s.catalog_id`));

/** A few songs with their annotations, in one statement. */
const annotatedSongs = (db: ReadDatabase, viewer: Viewer) =>
  visibleSongs(db, viewer).select(annotationColumns(viewer, 'song', sql<number>`s.id`));

/**
 * Songs by id, in the order of the ids; what is gone or may not be seen is left out. Each document is parsed only when its song is taken, so
 * that a long list never holds more than one of them.
 */
export const foldedSongsByIds = async (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer): Promise<Iterable<SongView>> => {
  if (ids.length === 0) return [];
  const wanted = isOneOf(sql<number>`s.id`, ids);
  if (ids.length <= ANNOTATED_AT_ONCE) {
    const few = await annotatedSongs(db, viewer).where(wanted).execute();
    return unfolded(inOrder(ids, few), annotationsIn, viewer);
  }
  const reading = visibleSongs(db, viewer).where(wanted).execute();
  const [rows, annotationOf] = await Promise.all([reading, annotationsOf(db, viewer, 'song', ids)]);
  return unfolded(inOrder(ids, rows), ({ id }) => annotationOf(id), viewer);
};

/** Songs by id that are read while they are written; see {@link foldedSongsByIds}. */
export const songFlow = (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer): Flow<SongView> =>
  flowOf(
    ids,
    Object.assign((batch: Int32Array) => foldedSongsByIds(db, batch, viewer), { atATime: FOLDED_BATCH }),
  );

/** Songs by id, all at hand; see {@link foldedSongsByIds}. */
export const songsByIds = async (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer): Promise<SongView[]> => [
  ...(await foldedSongsByIds(db, ids, viewer)),
];

/** The songs of an album, in disc and track order: of most albums in one statement, of a longer one batch after batch. */
export const songsOfAlbum = async (db: ReadDatabase, albumId: number, viewer: Viewer): Promise<Flow<SongView>> => {
  const rows = await annotatedSongs(db, viewer)
    .where('s.album_id', '=', albumId)
    .orderBy('s.disk')
    .orderBy('s.track')
    .orderBy('s.id')
    .limit(ANNOTATED_AT_ONCE + 1)
    .execute();
  if (rows.length <= ANNOTATED_AT_ONCE) return heldFlow([...unfolded(rows, annotationsIn, viewer)]);
  const ids = await songIdsByAlbum(db, [albumId], viewer);
  return songFlow(db, ids.get(albumId) ?? [], viewer);
};

/** Ids of the songs of some albums, in disc and track order, by album. */
export const songIdsByAlbum = async (db: ReadDatabase, albumIds: ArrayLike<number>, viewer: Viewer): Promise<Map<number, number[]>> => {
  const rows = await db
    .selectFrom('library.song as s')
    .select(['s.id', 's.album_id as ownerId'])
    .where(isOneOf(sql<number>`s.album_id`, albumIds))
    .where(inVisibleCatalogs(viewer, sql`s.catalog_id`))
    .orderBy('s.album_id')
    .orderBy('s.disk')
    .orderBy('s.track')
    .orderBy('s.id')
    .execute();
  return grouped(rows);
};

/** Ids of the songs that credit some artists, in order of title, by artist. */
export const songIdsByArtist = async (db: ReadDatabase, artistIds: ArrayLike<number>, viewer: Viewer): Promise<Map<number, number[]>> => {
  const rows = await db
    .selectFrom('library.song_artist as sa')
    .innerJoin('library.song as s', 's.id', 'sa.song_id')
    .select(['s.id', 'sa.artist_id as ownerId'])
    .where(isOneOf(sql<number>`sa.artist_id`, artistIds))
    .where(inVisibleCatalogs(viewer, sql`s.catalog_id`))
    .orderBy('sa.artist_id')
    .orderBy('s.title_sort')
    .orderBy('s.id')
    .execute();
  return grouped(rows);
};

/** Groups ids by their owner, keeping their order. */
export const grouped = (rows: readonly { readonly id: number; readonly ownerId: number }[]): Map<number, number[]> => {
  const groups = new Map<number, number[]>();
  for (const { id, ownerId } of rows) {
    const group = groups.get(ownerId);
    if (group) group.push(id);
    else groups.set(ownerId, [id]);
  }
  return groups;
};

/** File of a song. */
export interface SongFile {
  readonly id: number;
  readonly catalogPath: string;
  /** Relative to the catalog's root. */
  readonly path: string;
  readonly mime: string;
  readonly durationMs: number;
  /** Usual file suffix, without the dot. */
  readonly format: string;
  readonly title: string;
  readonly artist: string;
  /** Sound properties; absent for videos. */
  readonly sound?: SoundFacts;
  /** Picture properties; absent for songs. */
  readonly video?: VideoFacts;
}

/** The file behind a song; undefined when there is no such song for the viewer. */
export const songFile = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<SongFile | undefined> => {
  const row = await db
    .selectFrom('library.song as s')
    .innerJoin('library.catalog as c', 'c.id', 's.catalog_id')
    .select(['s.doc', 'c.path as catalogPath'])
    .where('s.id', '=', id)
    .where(inVisibleCatalogs(viewer, sql`s.catalog_id`))
    .executeTakeFirst();
  if (!row) return undefined;
  const { catalogPath } = row;
  const doc = JSON.parse(row.doc) as SongDocument;
  return {
    id,
    catalogPath,
    path: doc.path,
    mime: doc.mime,
    durationMs: doc.durationMs,
    format: doc.format,
    title: doc.title,
    artist: doc.artists[0]?.name ?? '',
    sound: soundFacts(doc),
  };
};

/** The picture of a song: its own, else its album's. Null when there is none, undefined when there is no such song. */
export const songArt = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<string | null | undefined> => {
  const row = await db
    .selectFrom('library.song as s')
    .leftJoin('library.album as a', 'a.id', 's.album_id')
    .select(['s.art_hash as own', albumArtHash.as('albums')])
    .where('s.id', '=', id)
    .where(inVisibleCatalogs(viewer, sql`s.catalog_id`))
    .executeTakeFirst();
  return row && (row.own ?? row.albums);
};
