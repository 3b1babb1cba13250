import type { ReadModel, SonicRunTable } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import { OperatorError } from '../connect/operator-error.js';
import { isBehind, type WorkMark } from '../transcoding/batches.js';

const runs = (db: Kysely<ReadModel>) => db.selectFrom('sonic.run').selectAll();

/** Page of sonic runs, latest first. */
export const latestRuns = (
  db: Kysely<ReadModel>,
  { before, limit }: { readonly before?: WorkMark; readonly limit: number },
): Promise<SonicRunTable[]> => runs(db).where(isBehind(before)).orderBy('requested_at_ms', 'desc').orderBy('id').limit(limit).execute();

/** The run of an id. @throws OperatorError when there is no such run */
export const findRun = async (db: Kysely<ReadModel>, wanted: string): Promise<SonicRunTable> => {
  const run = await runs(db).where('id', '=', wanted).executeTakeFirst();
  if (!run) throw new OperatorError(`there is no run "${wanted}"`, '"continuo sonic status" shows them', { kind: 'not-found' });
  return run;
};

/** Counts of the songs that a model knows. */
export const knownSongs = async (
  db: Kysely<ReadModel>,
  model: string,
): Promise<{ readonly songs: number; readonly heard: number; readonly failed: number }> => {
  const { rows } = await sql<{ songs: number; heard: number; failed: number }>`
    select count(*)::int as songs, count(*) filter (where k.vector is not null)::int as heard,
      count(*) filter (where k.song_id is not null and k.vector is null)::int as failed
    from library.song s left join sonic.song k on k.song_id = s.id and k.model = ${model}`.execute(db);
  return rows[0] ?? { songs: 0, heard: 0, failed: 0 };
};

/** Songs that a model could not analyse, with the reason, behind song `after`. */
export const failedSongs = (
  db: Kysely<ReadModel>,
  model: string,
  { after = 0, limit }: { readonly after?: number; readonly limit: number },
): Promise<{ id: number; title: string; reason: string | null }[]> =>
  db
    .selectFrom('sonic.song as k')
    .innerJoin('library.song as s', 's.id', 'k.song_id')
    .select(['s.id', 's.title', 'k.reason'])
    .where('k.model', '=', model)
    .where('k.vector', 'is', null)
    .where('s.id', '>', after)
    .orderBy('s.id')
    .limit(limit)
    .execute();
