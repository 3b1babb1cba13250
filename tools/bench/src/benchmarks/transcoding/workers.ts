import { setTimeout as delay } from 'node:timers/promises';
import { startTranscodeBatch } from '@continuo/contracts';
import type { StandaloneProcess } from '../../harness/standalone-process.js';
import { startWorkerProcess, type WorkerProcess } from '../../harness/worker-process.js';
import type { Measurement } from '../../measure/report.js';
import type { TranscodedSongs } from './transcoded-songs.js';

/** The worker of the standalone is one of them. */
const counts = [1, 2, 4] as const;
/** Each count makes another rate, so that nothing is there already. */
const KBPS = { 1: 160, 2: 192, 4: 224 } as const;
const POLL_MS = 50;
const END_MS = 300_000;

/** Worker settings: one ffmpeg at a time, so that more processors are used only by more workers. */
export const ONE_PLACE = { TRANSCODE_SLOTS: '1', TRANSCODE_BATCH_SLOTS: '1' } as const;

interface Batch {
  readonly tookMs: number;
  /** Number of media each worker has made, fewest first. */
  readonly made: readonly number[];
}

const runBatch = async ({ session }: StandaloneProcess, songIds: readonly number[], bitrateKbps: number): Promise<Batch> => {
  const items = songIds.map((id) => ({ type: 'song' as const, id }));
  const command = { title: `${bitrateKbps} kbit/s`, profile: { format: 'mp3' as const, bitrateKbps }, items };
  const started = performance.now();
  const { result } = await session.commands.send(startTranscodeBatch, command, session.context());
  for (;;) {
    const batch = await session.db.selectFrom('transcoding.batch').selectAll().where('id', '=', result.batchId).executeTakeFirst();
    if (batch && batch.state !== 'running') {
      if (batch.made !== items.length) throw new Error(`only ${batch.made} of ${items.length} were made`);
      break;
    }
    if (performance.now() - started > END_MS) throw new Error('the batch does not come to its end');
    await delay(POLL_MS);
  }
  const tookMs = performance.now() - started;
  const rows = await session.db.selectFrom('transcoding.batch_item').select('worker_id').where('batch_id', '=', result.batchId).execute();
  const made = [...Map.groupBy(rows, ({ worker_id }) => worker_id).values()].map(({ length }) => length);
  return { tookMs, made: made.toSorted((a, b) => a - b) };
};

/** The same batch by one, two and four workers with one place each. */
export const measureWorkers = async (server: StandaloneProcess, { batch }: TranscodedSongs): Promise<Measurement[]> => {
  const others: WorkerProcess[] = [];
  const found: Measurement[] = [];
  let alone = 0;
  try {
    for (const count of counts) {
      while (others.length < count - 1) others.push(await startWorkerProcess(server, ONE_PLACE));
      const { tookMs, made } = await runBatch(server, batch, KBPS[count]);
      if (count === 1) alone = tookMs;
      const note = `each made ${made.join(', ')}${count === 1 ? '' : `; ${(alone / tookMs).toFixed(2)} times as fast as one`}`;
      found.push({
        what: `${batch.length} songs of a batch, ${count} worker${count === 1 ? '' : 's'}`,
        value: tookMs / 1000,
        unit: 's',
        note,
      });
    }
    return found;
  } finally {
    await Promise.all(others.map((worker) => worker.stop()));
  }
};
