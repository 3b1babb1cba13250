import { songId, type ReadModel, type SongDocument, type SongId, type SoundFile } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';

/** A song as the analysis needs it. */
export interface PartSong {
  readonly songId: SongId;
  readonly title: string;
  readonly catalogPath: string;
  readonly path: string;
  readonly durationMs: number;
  readonly mime: string;
  readonly file: SoundFile;
}

/** Which songs belong to a part of a run. */
export interface PartBounds {
  readonly firstId: number;
  /** Not included. */
  readonly endId: number;
  readonly catalogId?: number | undefined;
}

/** Songs of a part by id, behind one, at most so many. Catalogs that are switched off wait. */
export const partSongs = async (
  db: Kysely<ReadModel>,
  { firstId, endId, catalogId }: PartBounds,
  { afterId, count }: { readonly afterId: number; readonly count: number },
): Promise<PartSong[]> => {
  let query = db
    .selectFrom('library.song as s')
    .innerJoin('library.catalog as c', 'c.id', 's.catalog_id')
    .select(['s.id', 's.title', 'c.path as catalogPath', 's.doc', 's.size_bytes', 's.mtime_ms', 's.duration_ms'])
    .where('s.id', '>=', Math.max(firstId, afterId + 1))
    .where('s.id', '<', endId)
    .where('c.enabled', '=', true)
    .orderBy('s.id')
    .limit(count);
  if (catalogId !== undefined) query = query.where('s.catalog_id', '=', catalogId);
  return (await query.execute()).map((row) => {
    const { path, mime } = JSON.parse(row.doc) as SongDocument;
    return {
      songId: songId.parse(row.id),
      title: row.title,
      catalogPath: row.catalogPath,
      path,
      mime,
      durationMs: row.duration_ms,
      file: { sizeBytes: row.size_bytes, modifiedAtMs: row.mtime_ms },
    };
  });
};

/** The highest id that a song ever had. */
export const highestSongId = async (db: Kysely<ReadModel>): Promise<number> => {
  const row = await db
    .selectFrom('library.counter')
    .select('max_id')
    .where('kind', '=', 'song')
    .where('catalog_id', '=', 0)
    .executeTakeFirst();
  return row?.max_id ?? 0;
};

/** True when some song of a catalog that is switched on is not known to a model as it is now. */
export const isAnyUnknown = async (db: Kysely<ReadModel>, model: string): Promise<boolean> => {
  const { rows } = await sql<{ one: number }>`
    select 1 as one from library.song s join library.catalog c on c.id = s.catalog_id and c.enabled
    where not exists (select from sonic.song k where k.song_id = s.id and k.model = ${model} and k.size_bytes = s.size_bytes and k.mtime_ms = s.mtime_ms)
    limit 1`.execute(db);
  return rows.length > 0;
};

/** Change indicator of the library: the version of the library's songs, and whether scans go on. */
export const libraryChangeState = async (db: Kysely<ReadModel>): Promise<{ readonly version: number; readonly isScanning: boolean }> => {
  const { rows } = await sql<{ version: number; isScanning: boolean }>`
    select coalesce((select version from library.counter where kind = 'song' and catalog_id = 0), 0)::bigint as version,
      exists (select from ingestion.scan where state in ('queued', 'running')) as "isScanning"`.execute(db);
  return rows[0] ?? { version: 0, isScanning: false };
};

/** A sound that is known already from another file. */
export const soundByFingerprint = (db: Kysely<ReadModel>, fingerprint: string, model: string) =>
  db
    .selectFrom('sonic.song')
    .select(['scale', 'vector'])
    .where('fingerprint', '=', fingerprint)
    .where('model', '=', model)
    .limit(1)
    .executeTakeFirst();

/** A run that goes on. */
export interface OpenRun {
  readonly id: string;
  readonly model: string;
  readonly catalogId: number | null;
  readonly again: boolean;
}

/** All runs that go on, the oldest first. */
export const openRuns = (db: Kysely<ReadModel>): Promise<OpenRun[]> =>
  db
    .selectFrom('sonic.run')
    .select(['id', 'model', 'catalog_id as catalogId', 'again'])
    .where('state', '=', 'running')
    .orderBy('requested_at_ms')
    .orderBy('id')
    .execute();
