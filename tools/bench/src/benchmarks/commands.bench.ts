import { randomUUID } from 'node:crypto';
import { recordPlays, type SongId, type UserId } from '@continuo/contracts';
import { CompatClient } from '../harness/compat-client.js';
import type { StandaloneProcess } from '../harness/standalone-process.js';
import type { Measurement } from '../measure/report.js';
import { timed } from '../measure/stats.js';

const RUNS = { times: 300, warmUps: 50 };

/** From sending a command until its effect can be read, over NATS and through the gateway. */
export const measureCommands = async ({ session, ...server }: StandaloneProcess): Promise<Measurement[]> => {
  const userId = 1 as UserId;
  const inner = await timed(async (round) => {
    const plays = [{ songId: (1 + ((round + RUNS.warmUps) % 100)) as SongId, playedAtMs: 1_700_000_000_000 + round + RUNS.warmUps }];
    const { positions } = await session.commands.send(recordPlays, { userId, client: randomUUID(), plays }, session.context());
    if (!(await session.watch.waitFor(positions, 5000))) throw new Error('the play did not become readable');
  }, RUNS);
  const measurements: Measurement[] = [
    { what: 'command → readable, p50', value: inner.p50, unit: 'ms' },
    { what: 'command → readable, p99', value: inner.p99, unit: 'ms', budget: { atMost: 25 } },
  ];
  const compat = new CompatClient(server);
  try {
    const outer = await timed(
      (round) => compat.call('scrobble', { id: `so-${1 + ((round + RUNS.warmUps) % 100)}`, time: 1_600_000_000_000 + round }),
      RUNS,
    );
    measurements.push({ what: 'scrobble call until readable, p50', value: outer.p50, unit: 'ms' });
    measurements.push({ what: 'scrobble call until readable, p99', value: outer.p99, unit: 'ms', budget: { atMost: 25 } });
  } finally {
    compat.close();
  }
  return measurements;
};
