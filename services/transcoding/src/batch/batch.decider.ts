import type { Aggregate } from '@continuo/chassis';
import {
  Rejection,
  transcodeBatchCancelled,
  transcodeBatchFinished,
  transcodeBatchRequested,
  transcodeItemEnded,
  type TranscodeBatchEvent,
  type TranscodeBatchId,
  type TranscodeItem,
  type TranscodeProfile,
  type UserId,
} from '@continuo/contracts';

/** Where a batch stands. */
export interface BatchState {
  readonly status: 'unknown' | 'running' | 'finished' | 'cancelled';
  readonly batchId?: TranscodeBatchId;
  /** Number of media in the batch. */
  readonly items: number;
  /** Places of those that are done with. */
  readonly ended: readonly number[];
}

/** Outcome of one medium. */
export type ItemEnd = Omit<ReturnType<typeof transcodeItemEnded>['data'], 'batchId'>;

/** Commands of a batch. Reports after its end, and second reports on a medium, change nothing. */
export type BatchCommand =
  | {
      readonly type: 'request';
      readonly batchId: TranscodeBatchId;
      readonly title: string;
      readonly requestedBy?: UserId | undefined;
      readonly profile: TranscodeProfile;
      readonly items: readonly TranscodeItem[];
    }
  | { readonly type: 'end-item'; readonly end: ItemEnd }
  | { readonly type: 'cancel' };

const initialState: BatchState = { status: 'unknown', items: 0, ended: [] };

const request = ({ batchId, title, requestedBy, profile, items }: Extract<BatchCommand, { type: 'request' }>): TranscodeBatchEvent =>
  transcodeBatchRequested({ batchId, title, profile, items: [...items], ...(requestedBy === undefined ? {} : { requestedBy }) });

const decide = (state: BatchState, command: BatchCommand): TranscodeBatchEvent[] => {
  if (command.type === 'request') return state.status === 'unknown' ? [request(command)] : [];
  const { batchId } = state;
  if (batchId === undefined) throw new Rejection('transcode.batch-not-found');
  if (state.status !== 'running') return [];
  if (command.type === 'cancel') return [transcodeBatchCancelled({ batchId })];
  const { end } = command;
  if (end.index >= state.items || state.ended.includes(end.index)) return [];
  const isLast = state.ended.length + 1 === state.items;
  return [transcodeItemEnded({ batchId, ...end }), ...(isLast ? [transcodeBatchFinished({ batchId })] : [])];
};

const evolve = (state: BatchState, event: TranscodeBatchEvent): BatchState => {
  switch (event.type) {
    case 'TranscodeBatchRequested':
      return { status: 'running', batchId: event.data.batchId, items: event.data.items.length, ended: [] };
    case 'TranscodeItemEnded':
      return { ...state, ended: [...state.ended, event.data.index] };
    case 'TranscodeBatchFinished':
      return { ...state, status: 'finished' };
    case 'TranscodeBatchCancelled':
      return { ...state, status: 'cancelled' };
    default:
      return state;
  }
};

/** Media that are brought into another form before anybody asks for them, from request to end; the id is the batch's. */
export const batchAggregate: Aggregate<BatchState, BatchCommand, TranscodeBatchEvent> = {
  context: 'transcode',
  kind: 'batch',
  snapshotVersion: 1,
  initialState,
  decide,
  evolve,
};
