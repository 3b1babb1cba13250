import { JetStreamEventStore } from '@continuo/chassis';
import { registerUser, type UserId } from '@continuo/contracts';
import { communityParts, type CommunityPlan } from '../events/community-events.js';
import type { StandaloneProcess } from './standalone-process.js';

/** Result of growing a community. */
export interface Community {
  readonly accounts: readonly UserId[];
  /** Registering the accounts that are new, ms. */
  readonly registerMs: number;
  /** From the first thing said to the last row, ms. */
  readonly untilReadableMs: number;
  readonly events: number;
}

const AT_ONCE = 16;
const ADMINISTRATOR = 1 as UserId;

const inTurns = async <T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE) results.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(work))));
  return results;
};

const registered = async ({ session }: Pick<StandaloneProcess, 'session'>, names: readonly string[]): Promise<UserId[]> =>
  inTurns(names, async (username) => {
    const { result } = await session.commands.send(registerUser, { username, access: 25 }, session.context(), { timeoutMs: 60_000 });
    return result.userId;
  });

/** Amount of data per account. */
export type Habits = Omit<CommunityPlan, 'accounts'>;

/** Grows the community of a server to so many accounts; those that are there already stay and say nothing more. The administrator is the first of them. */
export const growCommunity = async (
  server: Pick<StandaloneProcess, 'session'>,
  before: readonly UserId[],
  size: number,
  habits: Habits,
): Promise<Community> => {
  const { session } = server;
  const began = performance.now();
  const missing = size - Math.max(1, before.length);
  const names = Array.from({ length: missing }, (_, n) => `listener ${before.length + n}`);
  const fresh = [...(before.length === 0 ? [ADMINISTRATOR] : []), ...(await registered(server, names))];
  const accounts = [...before, ...fresh];
  const registerMs = performance.now() - began;
  const store = new JetStreamEventStore(session.nats, session.manager, 30_000);
  const meta = { actor: 'system', correlationId: 'bench', causationId: 'bench' };
  const plan = { ...habits, accounts };
  let [events, position] = [0, 0];
  for (const [n, userId] of fresh.entries()) {
    // The administrator is who looks: they have favourites for a full page and follow more people than most.
    const more = userId === ADMINISTRATOR ? { flagsEach: 600, followsEach: 200 } : {};
    const parts = communityParts(userId, { ...plan, ...more });
    ({ position } = await store.append(parts, { ...meta, at: habits.fromMs + n * 60_000 }));
    events += parts.reduce((sum, part) => sum + part.events.length, 0);
  }
  if (!(await session.watch.waitFor([{ stream: 'EV_SOCIAL', position }], 600_000)))
    throw new Error('the community did not become readable');
  return { accounts, registerMs, untilReadableMs: performance.now() - began - registerMs, events };
};
