import type { Aggregate } from '@continuo/chassis';
import {
  Rejection,
  scanCancelled,
  scanFailed,
  scanFinished,
  scanProgressed,
  scanRequested,
  scanStarted,
  type CatalogId,
  type ScanCounts,
  type ScanEvent,
  type ScanId,
  type ScanMode,
  type SkipSample,
} from '@continuo/contracts';

/** Where a scan stands. */
export interface ScanState {
  readonly status: 'unknown' | 'queued' | 'running' | 'finished' | 'failed' | 'cancelled';
  readonly scanId?: ScanId;
  readonly catalogId?: CatalogId;
  readonly mode: ScanMode;
  readonly attempt: number;
  /** As last reported. */
  readonly counts: ScanCounts;
  /** Last recorded reason for a delay. */
  readonly delayedBy?: string | undefined;
}

/** Commands of a scan. Reports of a worker whose scan has ended meanwhile change nothing. */
export type ScanCommand =
  | { readonly type: 'request'; readonly scanId: ScanId; readonly catalogId: CatalogId; readonly mode: ScanMode }
  | { readonly type: 'start'; readonly attempt: number }
  | { readonly type: 'progress'; readonly counts: ScanCounts; readonly delayedBy?: string | undefined }
  | { readonly type: 'finish'; readonly counts: ScanCounts; readonly durationMs: number; readonly skipped: readonly SkipSample[] }
  | { readonly type: 'fail'; readonly counts: ScanCounts; readonly message: string }
  | { readonly type: 'cancel' };

export const zeroCounts: ScanCounts = {
  foldersSeen: 0,
  filesSeen: 0,
  songsAdded: 0,
  songsChanged: 0,
  songsMoved: 0,
  songsRemoved: 0,
  filesSkipped: 0,
};

const initialState: ScanState = { status: 'unknown', mode: 'changes', attempt: 0, counts: zeroCounts };

const decide = (state: ScanState, command: ScanCommand): ScanEvent[] => {
  if (command.type === 'request') return state.status === 'unknown' ? [request(command)] : [];
  if (state.scanId === undefined || state.catalogId === undefined) throw new Rejection('scan.not-found');
  if (!isOpen(state)) return [];
  const scan = { scanId: state.scanId, catalogId: state.catalogId };
  switch (command.type) {
    case 'start':
      return command.attempt > state.attempt ? [scanStarted({ ...scan, attempt: command.attempt })] : [];
    case 'progress':
      return progress(state, scan, command);
    case 'finish':
      return [scanFinished({ ...scan, counts: command.counts, durationMs: command.durationMs, skipped: [...command.skipped] })];
    case 'fail':
      return [scanFailed({ ...scan, counts: command.counts, message: command.message })];
    case 'cancel':
      return [scanCancelled({ ...scan, counts: state.counts })];
  }
};

/** The usual mode is left out, so that its event reads as it always did. */
const request = ({ scanId, catalogId, mode }: Extract<ScanCommand, { type: 'request' }>): ScanEvent =>
  scanRequested({ scanId, catalogId, ...(mode === 'changes' ? {} : { mode }) });

const progress = (
  state: ScanState,
  scan: { readonly scanId: ScanId; readonly catalogId: CatalogId },
  { counts, delayedBy }: Extract<ScanCommand, { type: 'progress' }>,
): ScanEvent[] => {
  if (state.delayedBy === delayedBy && sameCounts(state.counts, counts)) return [];
  return [scanProgressed({ ...scan, counts, ...(delayedBy === undefined ? {} : { delayedBy }) })];
};

/** True while a scan waits or runs. */
export const isOpen = (state: Pick<ScanState, 'status'>): boolean => state.status === 'queued' || state.status === 'running';

const sameCounts = (a: ScanCounts, b: ScanCounts): boolean =>
  (Object.keys(zeroCounts) as (keyof ScanCounts)[]).every((name) => a[name] === b[name]);

const evolve = (state: ScanState, event: ScanEvent): ScanState => {
  switch (event.type) {
    case 'ScanRequested':
      return { ...state, status: 'queued', scanId: event.data.scanId, catalogId: event.data.catalogId, mode: event.data.mode ?? 'changes' };
    case 'ScanStarted':
      return { ...state, status: 'running', attempt: event.data.attempt };
    case 'ScanProgressed':
      return { ...state, counts: event.data.counts, delayedBy: event.data.delayedBy };
    case 'ScanFinished':
      return { ...state, status: 'finished', counts: event.data.counts };
    case 'ScanFailed':
      return { ...state, status: 'failed', counts: event.data.counts };
    case 'ScanCancelled':
      return { ...state, status: 'cancelled', counts: event.data.counts };
    default:
      return state;
  }
};

/** One scan of one catalog, from request to end. */
export const scanAggregate: Aggregate<ScanState, ScanCommand, ScanEvent> = {
  context: 'ingest',
  kind: 'scan',
  snapshotVersion: 2,
  initialState,
  decide,
  evolve,
};
