import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Outcomes of transcodes. */
export type TranscodeOutcome = 'finished' | 'failed' | 'killed';

/** Metrics of the cache. */
export interface CacheMetrics {
  readonly bytes: Gauge;
  readonly evictions: Counter;
  readonly lookups: Counter<'outcome'>;
}

/** Metrics of a worker. */
export interface WorkerMetrics {
  readonly slotsUsed: Gauge;
  readonly slotsTotal: Gauge;
  readonly started: Counter<'format'>;
  /** Requests that found every place taken. */
  readonly turnedAway: Counter;
  readonly ended: Counter<'outcome'>;
  readonly firstByteSeconds: Histogram;
  readonly readers: Gauge;
  readonly cache: CacheMetrics;
}

const FIRST_BYTE_BUCKETS = [0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 5];

/** The instruments of a worker, in the registry of its service. */
export const workerMetrics = (registry: Registry): WorkerMetrics => {
  const registers = [registry];
  return {
    slotsUsed: new Gauge({ name: 'continuo_transcode_slots_used', help: 'Places in which ffmpeg runs', registers }),
    slotsTotal: new Gauge({ name: 'continuo_transcode_slots', help: 'Places in which ffmpeg may run', registers }),
    started: new Counter({ name: 'continuo_transcodes_started_total', help: 'Transcodes begun', labelNames: ['format'], registers }),
    turnedAway: new Counter({
      name: 'continuo_transcodes_turned_away_total',
      help: 'Requests that found every slot of this worker taken',
      registers,
    }),
    ended: new Counter({
      name: 'continuo_transcodes_ended_total',
      help: 'Transcodes by how they ended',
      labelNames: ['outcome'],
      registers,
    }),
    firstByteSeconds: new Histogram({
      name: 'continuo_transcode_first_byte_seconds',
      help: 'Time from the start of ffmpeg to its first bytes, seconds',
      buckets: FIRST_BYTE_BUCKETS,
      registers,
    }),
    readers: new Gauge({ name: 'continuo_transcode_readers', help: 'Listeners of transcodes under way', registers }),
    cache: {
      bytes: new Gauge({ name: 'continuo_transcode_cache_bytes', help: 'Size of all finished transcodes kept', registers }),
      evictions: new Counter({ name: 'continuo_transcode_cache_evictions_total', help: 'Transcodes thrown away for room', registers }),
      lookups: new Counter({
        name: 'continuo_transcode_cache_lookups_total',
        help: 'Requests by whether the cache had them',
        labelNames: ['outcome'],
        registers,
      }),
    },
  };
};
