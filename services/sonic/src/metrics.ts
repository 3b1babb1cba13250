import type { SonicCounts } from '@continuo/contracts';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Metrics of the service. */
export interface SonicMetrics {
  readonly songs: Counter<'outcome'>;
  readonly songSeconds: Histogram;
  readonly sounds: Gauge;
  readonly soundBytes: Gauge;
}

const SONG_BUCKETS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 120];

/** The instruments, in the registry of the service. */
export const sonicMetrics = (registry: Registry): SonicMetrics => {
  const registers = [registry];
  return {
    songs: new Counter({
      name: 'continuo_sonic_songs_total',
      help: 'Songs that runs of the sonic analysis came by, by what became of them',
      labelNames: ['outcome'],
      registers,
    }),
    songSeconds: new Histogram({
      name: 'continuo_sonic_song_seconds',
      help: 'Time that the analysis of a song took, seconds',
      buckets: SONG_BUCKETS,
      registers,
    }),
    sounds: new Gauge({ name: 'continuo_sonic_sounds', help: 'Songs whose sounds are in memory', registers }),
    soundBytes: new Gauge({ name: 'continuo_sonic_sound_bytes', help: 'Memory of the sounds, bytes', registers }),
  };
};

/** Counts a song that is done with. */
export const countSong =
  ({ songs, songSeconds }: SonicMetrics) =>
  (outcome: keyof SonicCounts, durationMs: number): void => {
    songs.inc({ outcome });
    if (outcome === 'analysed') songSeconds.observe(durationMs / 1000);
  };
