import { askEverybody } from '@continuo/chassis';
import {
  cancelTranscodeBatch,
  MAX_BATCH_ITEMS,
  Rejection,
  startTranscodeBatch,
  TRANSCODE_WORKERS_SUBJECT,
  transcodeBatchId,
  transcodeProfile,
  transcodeWorkersQuery,
  type TranscodeBatchTable,
  type TranscodeItem,
  type TranscodeProfile,
  type TranscodeWorkerState,
} from '@continuo/contracts';
import { z } from 'zod';
import type { HasOperations } from '../../../features/operations/operations.js';
import { SERVER_USER } from '../../../preferences/preference-snapshot.js';
import type { HasPreferences } from '../../../preferences/preferences.js';
import type { HasReadModel } from '../../../reads/database/database.js';
import { videoFile } from '../../../reads/library/videos.reads.js';
import { namesOfAccounts } from '../../../reads/people/managed-accounts.reads.js';
import { runAndAwaitReadModel, runCommand } from '../../../server/commands.js';
import type { HasClock, HasCommands, HasConfig } from '../../../server/needs.js';
import { aheadProfile, aheadVideo } from '../../../transcode/decision/ahead-profile.js';
import { streamRules, type StreamRules } from '../../../transcode/decision/stream-rules.js';
import { cutPage, pageByText, pageOf, pageQuery, readCursor, rowsOfPage } from '../cursors.js';
import { operate } from '../operate.js';
import { operationsUsing } from '../operation.js';
import { ManageProblem } from '../problems.js';
import { id, workPath } from '../schemas/ids.js';
import { time, timeText, timeTextOrNull } from '../schemas/times.js';
import { workFields } from '../schemas/work.js';

type Services = HasOperations & HasReadModel & HasCommands & HasConfig & HasClock & HasPreferences;
const { operation } = operationsUsing<Services>();

const worker = z
  .object({
    id: z.string(),
    slots: z.int().meta({ description: 'Transcodes that it may make at the same time' }),
    usedSlots: z.int(),
    batchSlots: z.int().meta({ description: 'Slots that batches may take' }),
    cacheBytes: z.number(),
    cacheLimitBytes: z.number(),
    ffmpegVersion: z.string().nullable(),
    problem: z.string().nullable().meta({ description: 'Why it can make nothing' }),
    audioEncoders: z.array(z.string()),
    making: z.array(
      z
        .object({
          path: z.string(),
          mime: z.string(),
          startedAt: time,
          writtenBytes: z.number(),
          listeners: z.int(),
          accounts: z.array(z.string()).meta({ description: 'Names of the accounts that listen, where they are known' }),
        })
        .meta({ id: 'RunningTranscode' }),
    ),
  })
  .meta({ id: 'TranscodingWorker' });

const shownWorker = (
  state: TranscodeWorkerState,
  { nowMs, names }: { readonly nowMs: number; readonly names: ReadonlyMap<number, string> },
): z.output<typeof worker> => ({
  id: state.workerId,
  slots: state.slots,
  usedSlots: state.slotsUsed,
  batchSlots: state.batchSlots,
  cacheBytes: state.cacheBytes,
  cacheLimitBytes: state.cacheCapBytes,
  ffmpegVersion: state.ffmpegVersion,
  problem: state.problem,
  audioEncoders: state.audioEncoders,
  making: state.making.map(({ startedMsAgo, accountIds, ...one }) => ({
    ...one,
    startedAt: timeText(nowMs - startedMsAgo),
    accounts: accountIds.flatMap((account) => names.get(account) ?? []),
  })),
});

const profile = transcodeProfile.meta({ id: 'TranscodeProfile' });
const batch = z
  .object({
    ...workFields,
    title: z.string(),
    profile,
    accountId: id.nullable().meta({ description: 'Account that asked for it; null for the command line' }),
    made: z.int(),
    present: z.int().meta({ description: 'Files that were there already' }),
    failed: z.int(),
    sizeBytes: z.number(),
  })
  .meta({ id: 'TranscodeBatch' });

const states = { running: 'running', finished: 'done', cancelled: 'cancelled' } as const;

const shown = (row: TranscodeBatchTable): z.output<typeof batch> => ({
  id: row.id,
  state: states[row.state],
  progress: { done: row.made + row.present + row.failed, total: row.items, unit: 'files' },
  startedAt: timeText(row.requested_at_ms),
  endedAt: timeTextOrNull(row.ended_at_ms),
  problem: row.failed > 0 ? `${row.failed} files could not be made` : null,
  title: row.title,
  profile: JSON.parse(row.profile) as TranscodeProfile,
  accountId: row.requested_by,
  made: row.made,
  present: row.present,
  failed: row.failed,
  sizeBytes: row.size_bytes,
});

const batchOf = (services: Services, wanted: string): Promise<z.output<typeof batch>> =>
  operate(services, async ({ library }) => shown(await library.findBatch(services.db, wanted)));

const newBatch = z
  .strictObject({
    kind: z.enum(['album', 'playlist', 'artist', 'song', 'video']),
    id: id.optional().meta({ description: 'Number of the thing whose media are made' }),
    name: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .meta({ description: 'Instead of the number: its name as the library shows it, in any case' }),
    profile: z.strictObject(transcodeProfile.shape).meta({
      id: 'NewTranscodeProfile',
      description: 'What streams will ask for. For a video without `picture`, `bitrateKbps` is that of sound and picture together',
    }),
  })
  .meta({ id: 'NewTranscodeBatch' });

const mark = z.object({ requestedAtMs: z.number(), id: z.string() });

/** The profile of a batch; its only video decides what that is made into. */
const profileOf = async (
  { db }: Pick<Services, 'db'>,
  asked: TranscodeProfile,
  first: TranscodeItem | undefined,
  rules: StreamRules,
): Promise<TranscodeProfile> => {
  if (first?.type !== 'video') return aheadProfile(asked, rules);
  const file = await videoFile(db, first.id, { userId: SERVER_USER, catalogs: 'all' });
  if (!file?.video) throw new Rejection('media.not-found');
  return aheadVideo(asked, file.video, rules);
};

const changes = {
  startTranscodeBatch: operation({
    method: 'POST',
    path: '/transcoding/batches',
    family: 'transcoding',
    access: 'write',
    summary: 'Brings media into another form before anybody asks for them',
    body: newBatch,
    answer: batch,
    status: 202,
    tagged: false,
    errors: ['input.too-large', 'transcode.failed', 'unavailable'],
    locate: ({ id: made }) => `/transcoding/batches/${made}`,
    run: async ({ body, services, request }) => {
      const which = body.id ?? body.name;
      if (which === undefined) throw new Rejection('input.missing', 'a number or a name is needed', 'id');
      const { title, items } = await operate(services, ({ library }) => library.findMedia(services, body.kind, which));
      if (items.length > MAX_BATCH_ITEMS) throw new ManageProblem('input.too-large', `at most ${MAX_BATCH_ITEMS} files go into one batch`);
      const { by, account } = request.caller;
      // Whoever holds the server's secret is no account.
      const requestedBy = by === 'operator' ? {} : { requestedBy: account.id };
      const rules = streamRules({ id: SERVER_USER }, await services.preferences.current());
      const data = { title, profile: await profileOf(services, body.profile, items[0], rules), items: [...items], ...requestedBy };
      const { batchId } = await runAndAwaitReadModel(services, request, { command: startTranscodeBatch }, data);
      return batchOf(services, batchId);
    },
  }),
  cancelTranscodeBatch: operation({
    method: 'POST',
    path: '/transcoding/batches/{id}/cancel',
    family: 'transcoding',
    access: 'write',
    summary: 'Makes nothing more of a batch; what is made stays',
    params: workPath,
    answer: batch,
    tagged: false,
    errors: ['conflict'],
    run: async ({ params, services, request }) => {
      const { state } = await batchOf(services, params.id);
      if (state !== 'running') throw new ManageProblem('conflict', `the batch is ${state} already`);
      await runCommand(services, request, cancelTranscodeBatch, { batchId: transcodeBatchId.parse(params.id) });
      return batchOf(services, params.id);
    },
  }),
};

/** Operations on the transcoding workers, and on media that are made ahead. */
export const transcodingOperations = {
  listTranscodingWorkers: operation({
    method: 'GET',
    path: '/transcoding/workers',
    family: 'transcoding',
    access: 'read',
    summary: 'Lists transcoding workers by id, with slots, cache and what each makes',
    query: pageQuery,
    answer: pageOf(worker),
    run: async ({ query, services }) => {
      const found = await operate(services, ({ session }) =>
        askEverybody(session.nats, transcodeWorkersQuery, {}, { subject: TRANSCODE_WORKERS_SUBJECT }),
      );
      const names = await namesOfAccounts(
        services.db,
        found.flatMap(({ making }) => making.flatMap(({ accountIds }) => accountIds)),
      );
      return pageByText(
        found.map((state) => shownWorker(state, { nowMs: services.now(), names })),
        query,
        (one) => one.id,
      );
    },
  }),
  listTranscodeBatches: operation({
    method: 'GET',
    path: '/transcoding/batches',
    family: 'transcoding',
    access: 'read',
    summary: 'Lists batches of transcodes, the latest first',
    query: pageQuery,
    answer: pageOf(batch),
    run: async ({ query, services }) => {
      const before = readCursor(mark, query.cursor);
      const wanted = { limit: rowsOfPage(query), ...(before ? { before } : {}) };
      const rows = await operate(services, ({ library }) => library.latestBatches(services.db, wanted));
      const page = cutPage(rows, query, (row) => ({ requestedAtMs: row.requested_at_ms, id: row.id }));
      return { ...page, items: page.items.map(shown) };
    },
  }),
  getTranscodeBatch: operation({
    method: 'GET',
    path: '/transcoding/batches/{id}',
    family: 'transcoding',
    access: 'read',
    summary: 'Answers a batch of transcodes with its progress',
    params: workPath,
    answer: batch,
    run: ({ params, services }) => batchOf(services, params.id),
  }),
  listTranscodeFailures: operation({
    method: 'GET',
    path: '/transcoding/batches/{id}/failures',
    family: 'transcoding',
    access: 'read',
    summary: 'Lists media of a batch that could not be made, in its order',
    params: workPath,
    query: pageQuery,
    answer: pageOf(
      z
        .object({ index: z.int(), type: z.enum(['song', 'video']), objectId: id, reason: z.string().nullable() })
        .meta({ id: 'TranscodeFailure' }),
    ),
    run: async ({ params, query, services }) => {
      await batchOf(services, params.id);
      const after = readCursor(z.int(), query.cursor) ?? -1;
      const wanted = { after, limit: rowsOfPage(query) };
      const rows = await operate(services, ({ library }) => library.batchFailures(services.db, params.id, wanted));
      return cutPage(rows, query, ({ index }) => index);
    },
  }),
  ...changes,
};
