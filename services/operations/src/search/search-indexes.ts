import { setTimeout as delay } from 'node:timers/promises';
import { searchIndexNames, searchRebuildSubject, searchStatusSubject } from '@continuo/search-index';
import { z } from 'zod';
import { OperatorError } from '../connect/operator-error.js';
import type { Session } from '../connect/session.js';

const PATIENCE_MS = 2000;

const statusSchema = z.object({ index: z.string(), role: z.string(), position: z.number(), fault: z.string().optional() });

/** A search index and its indexer. */
export interface SearchIndexState {
  readonly index: (typeof searchIndexNames)[number];
  /** Undefined when no indexer runs. */
  readonly kept: { readonly role: string; readonly position: number; readonly fault: string | null } | undefined;
}

/** Asks the indexer of an index; undefined when none runs. */
const ask = async ({ nats }: Pick<Session, 'nats'>, subject: string): Promise<unknown> => {
  try {
    return (await nats.request(subject, '', { timeout: PATIENCE_MS })).json();
  } catch {
    // Nobody listens, or not any more: both mean that nobody keeps the index.
    return undefined;
  }
};

/** Every search index, with the position of the indexer that keeps it. */
export const searchIndexStates = (session: Pick<Session, 'nats'>): Promise<SearchIndexState[]> =>
  Promise.all(
    searchIndexNames.map(async (index) => {
      const answer = await ask(session, searchStatusSubject(index));
      if (answer === undefined) return { index, kept: undefined };
      const { role, position, fault = null } = statusSchema.parse(answer);
      return { index, kept: { role, position, fault } };
    }),
  );

const notKept = (index: string): OperatorError =>
  new OperatorError(`nobody keeps the search index ${index} at the moment`, 'look at "continuo search status" and the log of the library', {
    kind: 'unavailable',
  });

const promiseSchema = z.object({ keeper: z.string(), rebuilds: z.number() });
const countsSchema = promiseSchema.extend({ written: z.number() });

const POLL_MS = 250;
/** Silence after which the service that keeps an index counts as gone, ms. */
const SILENCE_MS = 30_000;

/**
 * Has an index built anew and waits for the end; the old one answers meanwhile. `tell` hears how many entries are written.
 * @throws OperatorError when nobody keeps it, or not any more
 */
export const rebuildSearchIndex = async (
  session: Pick<Session, 'nats'>,
  index: string,
  tell: (written: number) => void = () => undefined,
): Promise<void> => {
  const answer = await ask(session, searchRebuildSubject(index));
  if (answer === undefined) throw notKept(index);
  const { keeper, rebuilds } = promiseSchema.parse(answer);
  for (let heardAtMs = Date.now(); Date.now() - heardAtMs < SILENCE_MS; await delay(POLL_MS)) {
    const status = await ask(session, searchStatusSubject(index));
    if (status === undefined) continue;
    heardAtMs = Date.now();
    const counts = countsSchema.parse(status);
    if (counts.keeper !== keeper)
      throw new OperatorError(`the service that was building ${index} anew has stopped`, 'start it again', { kind: 'unavailable' });
    if (counts.rebuilds >= rebuilds) return;
    tell(counts.written);
  }
  throw notKept(index);
};
