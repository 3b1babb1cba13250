import type { ReadModel, TranscodeBatchTable, TranscodeItemTable } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import { OperatorError } from '../connect/operator-error.js';

const batches = (db: Kysely<ReadModel>) => db.selectFrom('transcoding.batch').selectAll();

/** Last batch or run of a page: the next page begins behind it. */
export interface WorkMark {
  readonly requestedAtMs: number;
  readonly id: string;
}

/** True for batches or runs behind a mark, in the order of {@link latestBatches}; for all without one. */
export const isBehind = (before: WorkMark | undefined) =>
  before
    ? sql<boolean>`requested_at_ms < ${before.requestedAtMs} or (requested_at_ms = ${before.requestedAtMs} and id > ${before.id})`
    : sql<boolean>`true`;

/** Page of transcode batches, latest first. */
export const latestBatches = (
  db: Kysely<ReadModel>,
  { before, limit }: { readonly before?: WorkMark; readonly limit: number },
): Promise<TranscodeBatchTable[]> =>
  batches(db).where(isBehind(before)).orderBy('requested_at_ms', 'desc').orderBy('id').limit(limit).execute();

/** The batch of an id. @throws OperatorError when there is no such batch */
export const findBatch = async (db: Kysely<ReadModel>, wanted: string): Promise<TranscodeBatchTable> => {
  const found = await batches(db).where('id', '=', wanted).executeTakeFirst();
  if (!found) throw new OperatorError(`there is no batch "${wanted}"`, '"continuo transcode list" shows them', { kind: 'not-found' });
  return found;
};

/** Media of a batch that could not be made, with the reason, behind index `after`. */
export const batchFailures = (
  db: Kysely<ReadModel>,
  id: string,
  { after = -1, limit }: { readonly after?: number; readonly limit: number },
): Promise<{ index: number; type: TranscodeItemTable['type']; objectId: number; reason: string | null }[]> =>
  db
    .selectFrom('transcoding.batch_item')
    .select(['index', 'type', 'object_id as objectId', 'reason'])
    .where('batch_id', '=', id)
    .where('outcome', '=', 'failed')
    .where('index', '>', after)
    .orderBy('index')
    .limit(limit)
    .execute();
