import type { EventStore } from '@continuo/chassis';
import { sql, type Kysely } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 50;
const PATIENCE_MS = 15_000;

/**
 * Waits until the tables of a projection of the library show everything that the log holds at this moment, for reactors that look things up there.
 * @throws Error when that takes too long; whoever reacts is then tried again
 */
export const untilProjected = async (db: Kysely<unknown>, store: Pick<EventStore, 'lastPosition'>, projection: string): Promise<void> => {
  const target = await store.lastPosition('library');
  const until = performance.now() + PATIENCE_MS;
  while (performance.now() < until) {
    const { rows } = await sql<{ position: number }>`
      select position from chassis.projection_checkpoint where name = ${projection} and state = 'live'`.execute(db);
    if ((rows[0]?.position ?? -1) >= target) return;
    await delay(POLL_MS);
  }
  throw new Error(`${projection} is far behind the log`);
};
