import type { OperationEvent, PublicEventType, SonicRunEvent, TranscodeBatchEvent } from '@continuo/contracts';
import type { Draft, DraftFamily, Drafting } from '../draft.js';

type OperationData<T extends OperationEvent['type']> = Extract<OperationEvent, { type: T }>['data'];
type BatchData<T extends TranscodeBatchEvent['type']> = Extract<TranscodeBatchEvent, { type: T }>['data'];
type RunData<T extends SonicRunEvent['type']> = Extract<SonicRunEvent, { type: T }>['data'];

const ADMINISTRATOR = 100;

/** Long work is the business of administrators. Titles and messages, which may hold paths, are left out. */
const work = (type: PublicEventType, kind: string, id: string, data?: Draft['data']): readonly Draft[] => [
  {
    type,
    object: { kind, id },
    ...(data ? { data } : {}),
    audience: { owners: [], others: { are: 'level', level: ADMINISTRATOR } },
  },
];

/** Kinds as other objects of public events are spelt. */
const kindOf = ({ kind }: Pick<OperationData<'OperatorWorkFinished'>, 'kind'>): string => kind.replaceAll('-', '_');

/** Public forms of the long work that gateways do. */
export const operationFamily: DraftFamily = {
  aggregate: 'operation',
  types: ['work.started', 'work.finished', 'work.failed'],
  drafts: {
    OperatorWorkStarted: ((data) => work('work.started', kindOf(data), data.workId, { subject: data.subject })) satisfies Drafting<
      OperationData<'OperatorWorkStarted'>
    >,
    OperatorWorkFinished: ((data) => work('work.finished', kindOf(data), data.workId)) satisfies Drafting<
      OperationData<'OperatorWorkFinished'>
    >,
    OperatorWorkFailed: ((data) => work('work.failed', kindOf(data), data.workId)) satisfies Drafting<OperationData<'OperatorWorkFailed'>>,
  },
};

const BATCH = 'transcode_batch';

/** Public forms of transcode batches. */
export const transcodeBatchFamily: DraftFamily = {
  aggregate: 'batch',
  types: ['work.started', 'work.progressed', 'work.finished', 'work.cancelled'],
  drafts: {
    TranscodeBatchRequested: (({ batchId, items }) => work('work.started', BATCH, batchId, { items: items.length })) satisfies Drafting<
      BatchData<'TranscodeBatchRequested'>
    >,
    TranscodeItemEnded: (({ batchId, index, outcome }) => work('work.progressed', BATCH, batchId, { index, outcome })) satisfies Drafting<
      BatchData<'TranscodeItemEnded'>
    >,
    TranscodeBatchFinished: (({ batchId }) => work('work.finished', BATCH, batchId)) satisfies Drafting<
      BatchData<'TranscodeBatchFinished'>
    >,
    TranscodeBatchCancelled: (({ batchId }) => work('work.cancelled', BATCH, batchId)) satisfies Drafting<
      BatchData<'TranscodeBatchCancelled'>
    >,
  },
};

const RUN = 'sonic_run';

/** Public forms of runs of the sonic analysis. */
export const sonicRunFamily: DraftFamily = {
  aggregate: 'run',
  types: ['work.started', 'work.progressed', 'work.finished', 'work.cancelled'],
  drafts: {
    SonicRunRequested: (({ runId, parts }) => work('work.started', RUN, runId, { parts })) satisfies Drafting<RunData<'SonicRunRequested'>>,
    SonicPartEnded: (({ runId, part, counts }) => work('work.progressed', RUN, runId, { part, counts })) satisfies Drafting<
      RunData<'SonicPartEnded'>
    >,
    SonicRunFinished: (({ runId }) => work('work.finished', RUN, runId)) satisfies Drafting<RunData<'SonicRunFinished'>>,
    SonicRunCancelled: (({ runId }) => work('work.cancelled', RUN, runId)) satisfies Drafting<RunData<'SonicRunCancelled'>>,
  },
};
