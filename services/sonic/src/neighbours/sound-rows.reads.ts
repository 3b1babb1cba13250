import type { ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';

/** A row of the table of sounds, with the catalog in which its song is. */
export interface SoundRow {
  readonly songId: number;
  readonly catalogId: number;
  readonly scale: number | null;
  /** Null where the song cannot be analysed. */
  readonly vector: Uint8Array | null;
  readonly model: string;
  readonly position: number;
}

const columns = ['k.song_id as songId', 's.catalog_id as catalogId', 'k.scale', 'k.vector', 'k.model', 'k.position'] as const;

/** Sounds by song id, behind one, at most so many; only of songs that the library still has. */
export const soundsAfterSong = (db: Kysely<ReadModel>, model: string, songId: number, count: number): Promise<SoundRow[]> =>
  db
    .selectFrom('sonic.song as k')
    .innerJoin('library.song as s', 's.id', 'k.song_id')
    .select(columns)
    .where('k.model', '=', model)
    .where('k.vector', 'is not', null)
    .where('k.song_id', '>', songId)
    .orderBy('k.song_id')
    .limit(count)
    .execute();

/** Sounds in the order in which they were found out, behind a position of the log; of all models, since a song may have left one. */
export const soundsAfterPosition = (db: Kysely<ReadModel>, position: number, count: number): Promise<SoundRow[]> =>
  db
    .selectFrom('sonic.song as k')
    .innerJoin('library.song as s', 's.id', 'k.song_id')
    .select(columns)
    .where('k.position', '>', position)
    .orderBy('k.position')
    .limit(count)
    .execute();

/** The highest position that the table shows. */
export const lastSoundPosition = async (db: Kysely<ReadModel>): Promise<number> => {
  const row = await db
    .selectFrom('sonic.song')
    .select((eb) => eb.fn.max('position').as('position'))
    .executeTakeFirst();
  return row?.position ?? 0;
};

/** In which catalogs songs are, by id, behind one, at most so many. */
export const songPlaces = (db: Kysely<ReadModel>, model: string, afterId: number, count: number) =>
  db
    .selectFrom('sonic.song as k')
    .innerJoin('library.song as s', 's.id', 'k.song_id')
    .select(['k.song_id as songId', 's.catalog_id as catalogId'])
    .where('k.model', '=', model)
    .where('k.vector', 'is not', null)
    .where('k.song_id', '>', afterId)
    .orderBy('k.song_id')
    .limit(count)
    .execute();

/** Those of some songs that the library has now, with their catalogs. */
export const presentSongs = async (db: Kysely<ReadModel>, songIds: readonly number[]): Promise<Map<number, number>> => {
  if (songIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('library.song')
    .select(['id', 'catalog_id'])
    .where('id', 'in', [...songIds])
    .execute();
  return new Map(rows.map((row) => [row.id, row.catalog_id]));
};
