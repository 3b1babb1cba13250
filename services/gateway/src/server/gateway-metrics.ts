import { registerGauge, type Metrics } from '@continuo/chassis';
import { Counter, type Gauge } from 'prom-client';
import type { ConcurrencyLimiter } from './concurrency-limiter.js';

/** Name of an in-memory cache. */
export type CacheName = 'art' | 'lists' | 'rankings';

/** Counts cache lookups: `hit`, `miss`, or `stale` where an older list was good enough. */
export const cacheLookups = ({ registry }: Pick<Metrics, 'registry'>): ((cache: CacheName) => (outcome: string) => void) => {
  const lookups = new Counter({
    name: 'continuo_cache_lookups_total',
    help: 'Lookups in the caches of a gateway, by whether they had it',
    labelNames: ['cache', 'outcome'],
    registers: [registry],
  });
  return (cache) => (outcome) => lookups.inc({ cache, outcome });
};

/** Registers gauges of the limiters. */
export const slotGauges = ({ registry }: Pick<Metrics, 'registry'>, limiters: Readonly<Record<string, ConcurrencyLimiter>>): void => {
  const gauge = (name: string, help: string, read: (of: ConcurrencyLimiter) => number): Gauge =>
    registerGauge({
      name,
      help,
      labelNames: ['work'],
      registers: [registry],
      collect() {
        for (const [work, of] of Object.entries(limiters)) this.set({ work }, read(of));
      },
    });
  gauge('continuo_places_used', 'Pieces of costly work under way', ({ used }) => used);
  gauge('continuo_places', 'Pieces of costly work that may be under way at once', ({ total }) => total);
  gauge('continuo_places_waiting', 'Pieces of costly work that wait', ({ queued }) => queued);
};

/** Registers the gauge of sessions. */
export const sessionGauge = ({ registry }: Pick<Metrics, 'registry'>, count: () => number): void => {
  registerGauge({
    name: 'continuo_sessions',
    help: 'Sessions that are alive, of all gateways',
    registers: [registry],
    collect() {
      this.set(count());
    },
  });
};
