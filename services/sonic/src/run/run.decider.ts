import type { Aggregate } from '@continuo/chassis';
import {
  Rejection,
  sonicPartEnded,
  sonicRunCancelled,
  sonicRunFinished,
  sonicRunRequested,
  type SonicCounts,
  type SonicRunEvent,
  type SonicRunId,
} from '@continuo/contracts';

type Requested = ReturnType<typeof sonicRunRequested>['data'];

/** Where a run stands. */
export interface RunState {
  readonly status: 'unknown' | 'running' | 'finished' | 'cancelled';
  readonly wanted?: Requested;
  /** Parts that are done with. */
  readonly ended: readonly number[];
}

/** Commands of a run. Reports after its end, and second reports on a part, change nothing. */
export type RunCommand =
  | { readonly type: 'request'; readonly wanted: Requested }
  | { readonly type: 'end-part'; readonly part: number; readonly counts: SonicCounts }
  | { readonly type: 'cancel' };

const idOf = ({ wanted }: RunState): SonicRunId => {
  if (!wanted) throw new Rejection('sonic.run-not-found');
  return wanted.runId;
};

const decide = (state: RunState, command: RunCommand): SonicRunEvent[] => {
  if (command.type === 'request') return state.status === 'unknown' ? [sonicRunRequested(command.wanted)] : [];
  const runId = idOf(state);
  if (state.status !== 'running') return [];
  if (command.type === 'cancel') return [sonicRunCancelled({ runId })];
  const { part, counts } = command;
  const parts = state.wanted?.parts ?? 0;
  if (part >= parts || state.ended.includes(part)) return [];
  const isLast = state.ended.length + 1 === parts;
  return [sonicPartEnded({ runId, part, counts }), ...(isLast ? [sonicRunFinished({ runId })] : [])];
};

const evolve = (state: RunState, event: SonicRunEvent): RunState => {
  switch (event.type) {
    case 'SonicRunRequested':
      return { status: 'running', wanted: event.data, ended: [] };
    case 'SonicPartEnded':
      return { ...state, ended: [...state.ended, event.data.part] };
    case 'SonicRunFinished':
      return { ...state, status: 'finished' };
    case 'SonicRunCancelled':
      return { ...state, status: 'cancelled' };
    default:
      return state;
  }
};

/** A run of the analysis over the songs of the library, from request to end; the id is the run's. */
export const runAggregate: Aggregate<RunState, RunCommand, SonicRunEvent> = {
  context: 'sonic',
  kind: 'run',
  snapshotVersion: 1,
  initialState: { status: 'unknown', ended: [] },
  keepWarm: 8,
  decide,
  evolve,
};
