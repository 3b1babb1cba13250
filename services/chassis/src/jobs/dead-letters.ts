import { DEAD_LETTER_STREAM } from '@continuo/contracts';
import { jetstream, jetstreamManager, type JetStreamClient, type JsMsg, type StoredMsg } from '@nats-io/jetstream';
import { headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { DEAD_PREFIX, streamExists } from './job-streams.js';

/** Headers that say why a message is in the stream of dead letters. */
const names = {
  reason: 'Continuo-Dead-Reason',
  stream: 'Continuo-Dead-Stream',
  sequence: 'Continuo-Dead-Sequence',
  attempts: 'Continuo-Dead-Attempts',
  at: 'Continuo-Dead-At',
} as const;

const MAX_REASON_CHARACTERS = 1000;
const PUBLISH_TRIES = 8;

/** A message that nobody could handle. */
export interface DeadLetter {
  /** Position in the stream of dead letters. */
  readonly sequence: number;
  /** Where it was meant to go. */
  readonly subject: string;
  readonly reason: string;
  readonly attempts: number;
  /** When it was given up, epoch milliseconds. */
  readonly atMs: number;
  readonly payload: Uint8Array;
}

/** Which dead letters; everything that is absent matches. */
export interface DeadLetterFilter {
  /** The original subject, for example `jobs.ingest.scan-catalog`; NATS wildcards are allowed. */
  readonly subject?: string;
  readonly sequences?: readonly number[];
  /** At most this many, oldest first. */
  readonly limit?: number;
}

/** Copies a message to the dead letters. Doing it twice for one message keeps one copy. */
export const buryMessage = async (client: JetStreamClient, message: JsMsg, reason: string): Promise<void> => {
  const { stream, streamSequence, deliveryCount } = message.info;
  const h = copyHeaders(message.headers);
  h.set(names.reason, headerSafe(reason));
  h.set(names.stream, stream);
  h.set(names.sequence, String(streamSequence));
  h.set(names.attempts, String(deliveryCount));
  h.set(names.at, String(Date.now()));
  const msgID = `${stream}:${streamSequence}`;
  await client.publish(`${DEAD_PREFIX}${message.subject}`, message.data, { headers: h, msgID, retries: PUBLISH_TRIES });
};

/** The dead letters that match, oldest first. Reads the stream message by message: it is meant to be short. */
export async function* listDeadLetters(nats: NatsConnection, filter: DeadLetterFilter = {}): AsyncGenerator<DeadLetter> {
  const manager = await jetstreamManager(nats);
  const { sequences, limit = Number.POSITIVE_INFINITY } = filter;
  if (!(await streamExists(manager, DEAD_LETTER_STREAM))) return;
  let [next, found] = [1, 0];
  while (found < limit) {
    const query = { seq: next, next_by_subj: `${DEAD_PREFIX}${filter.subject ?? '>'}` };
    const stored = await manager.direct.getMessage(DEAD_LETTER_STREAM, query);
    if (!stored) return;
    next = stored.seq + 1;
    if (sequences && !sequences.includes(stored.seq)) continue;
    found += 1;
    yield toDeadLetter(stored);
  }
}

/**
 * Sends matching dead letters to where they were meant to go and removes them. Answers how many.
 * A crash in between may leave a letter that is replayed already; replaying it again within two minutes is recognised.
 */
export const replayDeadLetters = async (nats: NatsConnection, filter: DeadLetterFilter = {}): Promise<number> => {
  const manager = await jetstreamManager(nats);
  const client = jetstream(nats);
  let replayed = 0;
  for await (const letter of listDeadLetters(nats, filter)) {
    const stored = await manager.streams.getMessage(DEAD_LETTER_STREAM, { seq: letter.sequence });
    const h = copyHeaders(stored?.header);
    for (const name of Object.values(names)) h.delete(name);
    await client.publish(letter.subject, letter.payload, { headers: h, msgID: `replay:${letter.sequence}`, retries: PUBLISH_TRIES });
    await manager.streams.deleteMessage(DEAD_LETTER_STREAM, letter.sequence);
    replayed += 1;
  }
  return replayed;
};

const toDeadLetter = (stored: StoredMsg): DeadLetter => ({
  sequence: stored.seq,
  subject: stored.subject.slice(DEAD_PREFIX.length),
  reason: stored.header.get(names.reason),
  attempts: Number(stored.header.get(names.attempts)),
  atMs: Number(stored.header.get(names.at)),
  payload: stored.data,
});

/** A copy without what belongs to one publication only (message id, expectations). */
const copyHeaders = (from: MsgHdrs | undefined): MsgHdrs => {
  const copy = headers();
  for (const [key, values] of from ?? []) {
    if (!key.startsWith('Nats-')) for (const value of values) copy.append(key, value);
  }
  return copy;
};

const headerSafe = (text: string): string => text.replaceAll(/[^\x20-\x7e]+/g, ' ').slice(0, MAX_REASON_CHARACTERS);
