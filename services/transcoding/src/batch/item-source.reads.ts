import type { ReadModel, SongDocument, TranscodeItem, TranscodeSource, TranscodeTarget } from '@continuo/contracts';
import type { Kysely } from 'kysely';

/** The file of a medium, and which part of it the medium is: all of it but of songs that share their file with others. */
export interface ItemSource {
  readonly source: TranscodeSource;
  readonly part: Pick<TranscodeTarget, 'offsetMs' | 'lengthMs'>;
}

/** Where the file of a medium is and what is known of it; undefined when there is no such medium any more. Who may have it was looked at when it was asked for. */
export const itemSource = async (db: Kysely<ReadModel>, { type, id }: TranscodeItem): Promise<ItemSource | undefined> => {
  const row = await (type === 'song' ? songRow(db, id) : videoRow(db, id));
  if (!row) return undefined;
  const { catalogPath, path, size_bytes: sizeBytes, mtime_ms: modifiedAtMs, duration_ms: durationMs, part } = row;
  return {
    source: { catalogPath, path, sizeBytes, modifiedAtMs, durationMs: part?.sourceMs ?? durationMs },
    part: part ? { offsetMs: part.startMs, lengthMs: durationMs } : { offsetMs: 0 },
  };
};

const songRow = async (db: Kysely<ReadModel>, id: number) => {
  const row = await db
    .selectFrom('library.song as s')
    .innerJoin('library.catalog as c', 'c.id', 's.catalog_id')
    .select(['c.path as catalogPath', 's.doc', 's.size_bytes', 's.mtime_ms', 's.duration_ms'])
    .where('s.id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const { path, part } = JSON.parse(row.doc) as SongDocument;
  return { ...row, path, part };
};

const videoRow = async (db: Kysely<ReadModel>, id: number) => {
  const row = await db
    .selectFrom('library.video as v')
    .innerJoin('library.catalog as c', 'c.id', 'v.catalog_id')
    .select(['c.path as catalogPath', 'v.path', 'v.size_bytes', 'v.mtime_ms', 'v.duration_ms'])
    .where('v.id', '=', id)
    .executeTakeFirst();
  return row && { ...row, part: undefined };
};
