import type { Context } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import type { EventStore } from '../event-store/event-store.js';
import { poll } from '../retry.js';

const POLL_MS = 50;
const PATIENCE_MS = 15_000;

/**
 * Waits until the tables of a projection show everything that its log holds at this moment, for reactors that look things up there.
 * @throws Error when that takes too long; whoever reacts is then tried again
 */
export const untilProjected = async (
  { db, store }: { readonly db: Kysely<unknown>; readonly store: Pick<EventStore, 'lastPosition'> },
  context: Context,
  projection: string,
): Promise<void> => {
  const target = await store.lastPosition(context);
  const isProjected = async (): Promise<true | undefined> => {
    const { rows } = await sql<{ position: number }>`
      select position from chassis.projection_checkpoint where name = ${projection} and state = 'live'`.execute(db);
    return (rows[0]?.position ?? -1) >= target || undefined;
  };
  if (!(await poll(isProjected, { everyMs: POLL_MS, withinMs: PATIENCE_MS }))) throw new Error(`${projection} is far behind the log`);
};
