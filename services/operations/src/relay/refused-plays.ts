import { listDeadLetters, replayDeadLetters } from '@continuo/chassis';
import { relayServices, songPlayed, type RelayService } from '@continuo/contracts';
import type { Session } from '../connect/session.js';

const PREFIX = 'react.playback-relay-';

/** A play that a scrobble service did not take. */
export interface RefusedPlay {
  /** Number of its dead letter. */
  readonly sequence: number;
  readonly accountId: number;
  readonly service: RelayService;
  readonly songId: number;
  readonly playedAtMs: number;
  readonly attempts: number;
  readonly reason: string;
}

/** Filter of refused plays; without it all are meant. */
export interface RefusedPlayFilter {
  readonly accountId?: number | undefined;
  readonly sequences?: readonly number[] | undefined;
  /** Only those behind this number. */
  readonly after?: number;
  readonly limit: number;
}

/** Plays that scrobble services did not take, the oldest first. */
export const refusedPlays = async (
  { nats }: Pick<Session, 'nats'>,
  { accountId, sequences, after = 0, limit }: RefusedPlayFilter,
): Promise<RefusedPlay[]> => {
  const found: RefusedPlay[] = [];
  for await (const letter of listDeadLetters(nats, { subject: 'react.>', after, ...(sequences ? { sequences } : {}) })) {
    const service = relayServices.find((name) => letter.subject === PREFIX + name);
    if (service === undefined) continue;
    const read = songPlayed.schema.safeParse(JSON.parse(Buffer.from(letter.payload).toString('utf8')));
    if (!read.success || (accountId !== undefined && read.data.userId !== accountId)) continue;
    const { userId, songId, playedAtMs } = read.data;
    const { sequence, attempts, reason } = letter;
    if (found.push({ sequence, accountId: userId, service, songId, playedAtMs, attempts, reason }) === limit) break;
  }
  return found;
};

/** Tells scrobble services refused plays again. Answers how many. */
export const retryRefusedPlays = async (session: Pick<Session, 'nats'>, filter: RefusedPlayFilter): Promise<number> => {
  const sequences = (await refusedPlays(session, filter)).map(({ sequence }) => sequence);
  return sequences.length === 0 ? 0 : replayDeadLetters(session.nats, { sequences });
};
