import type { ReadModel, SongDocument, TranscodeItem, TranscodeSource } from '@continuo/contracts';
import type { Kysely } from 'kysely';

/** Where the file of a medium is and what is known of it; undefined when there is no such medium any more. Who may have it was looked at when it was asked for. */
export const itemSource = async (db: Kysely<ReadModel>, { type, id }: TranscodeItem): Promise<TranscodeSource | undefined> => {
  const row = await (type === 'song' ? songRow(db, id) : videoRow(db, id));
  if (!row) return undefined;
  const { catalogPath, path, size_bytes: sizeBytes, mtime_ms: modifiedAtMs, duration_ms: durationMs } = row;
  return { catalogPath, path, sizeBytes, modifiedAtMs, durationMs };
};

const songRow = async (db: Kysely<ReadModel>, id: number) => {
  const row = await db
    .selectFrom('library.song as s')
    .innerJoin('library.catalog as c', 'c.id', 's.catalog_id')
    .select(['c.path as catalogPath', 's.doc', 's.size_bytes', 's.mtime_ms', 's.duration_ms'])
    .where('s.id', '=', id)
    .executeTakeFirst();
  return row && { ...row, path: (JSON.parse(row.doc) as SongDocument).path };
};

const videoRow = (db: Kysely<ReadModel>, id: number) =>
  db
    .selectFrom('library.video as v')
    .innerJoin('library.catalog as c', 'c.id', 'v.catalog_id')
    .select(['c.path as catalogPath', 'v.path', 'v.size_bytes', 'v.mtime_ms', 'v.duration_ms'])
    .where('v.id', '=', id)
    .executeTakeFirst();
