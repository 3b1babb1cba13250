import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { ProjectionLag } from './projection-lag.js';

const lines = async (registry: Registry): Promise<string[]> =>
  (await registry.metrics()).split('\n').filter((line) => line.startsWith('continuo_projection_lag'));

it('the age of what waits grows while nothing is committed, and tables that are built do not count as those that are read', async () => {
  const registry = new Registry();
  let nowMs = 100_000;
  const lag = new ProjectionLag(registry, () => nowMs);
  lag.begin('plays', 'live');
  expect(await lines(registry)).toEqual([
    'continuo_projection_lag_events{projection="plays",state="live"} 0',
    'continuo_projection_lag_seconds{projection="plays",state="live"} 0',
  ]);
  lag.note('plays', 'live', { events: 3, oldestAtMs: 98_000 });
  // Another try of the same projection changes nothing of what is known.
  lag.begin('plays', 'live');
  nowMs = 160_000;
  lag.note('plays', 'building', { events: 900, oldestAtMs: 1000 });
  expect(await lines(registry)).toEqual([
    'continuo_projection_lag_events{projection="plays",state="live"} 3',
    'continuo_projection_lag_events{projection="plays",state="building"} 900',
    'continuo_projection_lag_seconds{projection="plays",state="live"} 62',
    'continuo_projection_lag_seconds{projection="plays",state="building"} 159',
  ]);
  lag.forget('plays', 'building');
  lag.note('plays', 'live', { events: 0 });
  expect(await lines(registry)).toEqual([
    'continuo_projection_lag_events{projection="plays",state="live"} 0',
    'continuo_projection_lag_seconds{projection="plays",state="live"} 0',
  ]);
  lag.forget('plays', 'live');
  expect(await lines(registry)).toEqual([]);
});
