import type { MessageContext, OperatorWorkKind } from '@continuo/contracts';

/** Kinds of long work that a gateway does for operators. */
export type WorkKind = OperatorWorkKind;

/** How far long work is. */
export interface WorkProgress {
  readonly done: number;
  /** Null while nobody knows. */
  readonly total: number | null;
  readonly unit: string;
}

/** A piece of long work: what it is about, its state, and what came of it. */
export interface WorkRecord {
  readonly id: string;
  readonly kind: WorkKind;
  /** Name of the projection, the search index, the backup or the stream that is worked on. */
  readonly subject: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly state: 'running' | 'done' | 'failed';
  readonly progress: WorkProgress | null;
  readonly startedAtMs: number;
  readonly endedAtMs: number | null;
  /** Last sign of life of the gateway that does it. */
  readonly aliveAtMs: number;
  /** Why it failed, as a sentence. */
  readonly problem: string | null;
  /** Result; its shape depends on the kind. */
  readonly result: unknown;
  /** Actor and correlation id of the request; absent from records of releases that did not put it into the log. */
  readonly context?: MessageContext;
  /** True when the log tells how it ended. */
  readonly isEndRecorded: boolean;
}

/** Order of a piece of long work; with an id of its own where it has one. */
export type WorkOrder = Pick<WorkRecord, 'kind' | 'subject' | 'options'> & { readonly id?: string; readonly context: MessageContext };

/** Does the work; tells how far it is as often as it likes. */
export type Work = (progress: (progress: WorkProgress) => void, id: string) => Promise<unknown>;

/** Long work of all gateways: started by one, read by any. */
export interface LongWork {
  /**
   * Puts on record that work starts, does it in the background and answers at once.
   * @throws Rejection `conflict` while the same is done to the same subject; `unavailable` when it cannot be put on record
   */
  start(order: WorkOrder, work: Work): Promise<WorkRecord>;
  find(kind: WorkKind, id: string): Promise<WorkRecord | undefined>;
  /** Work of one kind, the latest first, before an id. */
  list(kind: WorkKind, page: { readonly before?: string | undefined; readonly limit: number }): Promise<WorkRecord[]>;
}

/** Does long work. */
export interface HasLongWork {
  readonly longWork: LongWork;
}

/** Silence after which a gateway counts as gone, ms. */
export const SILENCE_MS = 30_000;

/** The record as it stands now: work of a gateway that is gone has failed. */
export const asOf = (record: WorkRecord, nowMs: number): WorkRecord =>
  record.state === 'running' && nowMs - record.aliveAtMs > SILENCE_MS
    ? { ...record, state: 'failed', endedAtMs: record.aliveAtMs, problem: 'the gateway that did it has stopped; start it again' }
    : record;
