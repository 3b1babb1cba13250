import { projectEach, type ProjectedQuery, type Projection } from '@continuo/chassis';
import type {
  EventOf,
  RecordedEvent,
  TranscodeBatchEvent,
  TranscodeBatchTable,
  TranscodeItemTable,
  transcodeBatchRequested,
  transcodeItemEnded,
} from '@continuo/contracts';
import type { Kysely } from 'kysely';

interface Tables {
  batch: TranscodeBatchTable;
  batch_item: TranscodeItemTable;
}

const ddl = [
  `create table batch (
    id text primary key, title text not null, requested_by integer, profile text not null, state text not null, requested_at_ms bigint not null,
    first_ended_at_ms bigint, ended_at_ms bigint, items integer not null, made integer not null default 0, present integer not null default 0,
    failed integer not null default 0, size_bytes bigint not null default 0)`,
  'create index batch_by_time on batch (requested_at_ms desc, id)',
  `create table batch_item (
    batch_id text not null, index integer not null, type text not null, object_id integer not null, outcome text, worker_id text,
    ended_at_ms bigint, duration_ms bigint, reason text, primary key (batch_id, index))`,
];

/** Rows of one statement; far below the 65,535 parameters that Postgres takes. */
const ROWS_PER_STATEMENT = 2000;

const requested = ({ data, at }: RecordedEvent<EventOf<typeof transcodeBatchRequested>>, db: Kysely<Tables>): ProjectedQuery[] => {
  const { batchId, title, requestedBy, profile, items } = data;
  const none = { first_ended_at_ms: null, ended_at_ms: null, made: 0, present: 0, failed: 0, size_bytes: 0 };
  const row: TranscodeBatchTable = {
    id: batchId,
    title,
    requested_by: requestedBy ?? null,
    profile: JSON.stringify(profile),
    state: 'running',
    requested_at_ms: at,
    items: items.length,
    ...none,
  };
  const undone = { outcome: null, worker_id: null, ended_at_ms: null, duration_ms: null, reason: null };
  const rows = items.map(({ type, id }, index): TranscodeItemTable => ({ batch_id: batchId, index, type, object_id: id, ...undone }));
  const slices = Array.from({ length: Math.ceil(rows.length / ROWS_PER_STATEMENT) }, (_, n) =>
    rows.slice(n * ROWS_PER_STATEMENT, (n + 1) * ROWS_PER_STATEMENT),
  );
  return [db.insertInto('batch').values(row), ...slices.map((slice) => db.insertInto('batch_item').values(slice))];
};

const itemEnded = ({ data, at }: RecordedEvent<EventOf<typeof transcodeItemEnded>>, db: Kysely<Tables>): ProjectedQuery[] => {
  const { batchId, index, outcome, workerId, durationMs, sizeBytes, reason = null } = data;
  return [
    db
      .updateTable('batch_item')
      .set({ outcome, worker_id: workerId, ended_at_ms: at, duration_ms: durationMs, reason })
      .where('batch_id', '=', batchId)
      .where('index', '=', index),
    db
      .updateTable('batch')
      .set((eb) => ({
        [outcome]: eb(outcome, '+', 1),
        size_bytes: eb('size_bytes', '+', sizeBytes),
        first_ended_at_ms: eb.fn.coalesce('first_ended_at_ms', eb.val(at)),
      }))
      .where('id', '=', batchId),
  ];
};

const ended = (state: 'finished' | 'cancelled') => (event: RecordedEvent<TranscodeBatchEvent>, db: Kysely<Tables>) => [
  db.updateTable('batch').set({ state, ended_at_ms: event.at }).where('id', '=', event.data.batchId),
];

/** Keeps `transcoding.batch` and `transcoding.batch_item`: what is made ahead, and how far it is. */
export const batchProjection: Projection<Tables> = {
  name: 'transcoding-batches',
  version: 1,
  context: 'transcode',
  publishedSchema: 'transcoding',
  publishes: ['batch', 'batch_item'],
  ddl,
  ...projectEach<TranscodeBatchEvent, Tables>({
    TranscodeBatchRequested: requested,
    TranscodeItemEnded: itemEnded,
    TranscodeBatchFinished: ended('finished'),
    TranscodeBatchCancelled: ended('cancelled'),
  }),
};
