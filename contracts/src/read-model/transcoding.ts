import type { TranscodeItem, TranscodeItemOutcome } from '../messages/transcode-batch.js';

/** Schema `transcoding`: media that are brought into another form before anybody asks for them. */
export interface TranscodeBatchTable {
  id: string;
  title: string;
  /** Null for an operator on the server. */
  requested_by: number | null;
  /** A `TranscodeProfile` as JSON text. */
  profile: string;
  state: 'running' | 'finished' | 'cancelled';
  requested_at_ms: number;
  /** When the first medium was done with. */
  first_ended_at_ms: number | null;
  ended_at_ms: number | null;
  items: number;
  made: number;
  present: number;
  failed: number;
  /** Of what was made and what was there. */
  size_bytes: number;
}

/** One medium of a batch; those that are not done with have no outcome. */
export interface TranscodeItemTable {
  batch_id: string;
  index: number;
  type: TranscodeItem['type'];
  object_id: number;
  outcome: TranscodeItemOutcome | null;
  worker_id: string | null;
  ended_at_ms: number | null;
  duration_ms: number | null;
  reason: string | null;
}
