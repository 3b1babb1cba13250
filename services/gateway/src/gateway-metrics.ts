import { registerGauge, type Metrics } from '@continuo/chassis';
import { Counter, type Gauge } from 'prom-client';
import type { Places } from './http/places.js';

/** The caches that a gateway keeps in memory. */
export type CacheName = 'art' | 'lists' | 'rankings';

/** Counts whether caches had what was asked for: `hit`, `miss`, or `stale` where an older list was good enough. */
export const cacheLookups = ({ registry }: Pick<Metrics, 'registry'>): ((cache: CacheName) => (outcome: string) => void) => {
  const lookups = new Counter({
    name: 'continuo_cache_lookups_total',
    help: 'Lookups in the caches of a gateway, by whether they had it',
    labelNames: ['cache', 'outcome'],
    registers: [registry],
  });
  return (cache) => (outcome) => lookups.inc({ cache, outcome });
};

/** Tells how much of what is bounded is in use. */
export const placeGauges = ({ registry }: Pick<Metrics, 'registry'>, places: Readonly<Record<string, Places>>): void => {
  const gauge = (name: string, help: string, read: (of: Places) => number): Gauge =>
    registerGauge({
      name,
      help,
      labelNames: ['work'],
      registers: [registry],
      collect() {
        for (const [work, of] of Object.entries(places)) this.set({ work }, read(of));
      },
    });
  gauge('continuo_places_used', 'Pieces of costly work under way', ({ used }) => used);
  gauge('continuo_places', 'Pieces of costly work that may be under way at once', ({ total }) => total);
  gauge('continuo_places_waiting', 'Pieces of costly work that wait', ({ queued }) => queued);
};

/** Tells how many sessions there are. */
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
