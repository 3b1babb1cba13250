import { DEAD_LETTER_STREAM, Rejection } from '@continuo/contracts';
import { jetstream, jetstreamManager, type JetStreamClient, type JsMsg, type StoredMsg } from '@nats-io/jetstream';
import { headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { streamExists } from '../event-store/ensure-stream.js';
import { DEAD_PREFIX } from './job-streams.js';

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

/** A message that nobody could handle: a job, or an event as one of its reactors got it. */
export interface DeadLetter {
  /** Position in the stream of dead letters. */
  readonly sequence: number;
  /** Subject of a replay: that of the job, or `react.<service>-<reactor>`. */
  readonly subject: string;
  readonly reason: string;
  readonly attempts: number;
  /** Time at which it was given up, epoch milliseconds. */
  readonly atMs: number;
  readonly payload: Uint8Array;
}

/** Filter of dead letters; absent fields match everything. */
export interface DeadLetterFilter {
  /** As in {@link DeadLetter}, for example `jobs.ingest.scan-catalog` or `react.>`; NATS wildcards are allowed. */
  readonly subject?: string;
  readonly sequences?: readonly number[];
  /** Only those behind this sequence. */
  readonly after?: number;
  /** At most this many, oldest first. */
  readonly limit?: number;
}

/** Subject of a replay, if it is not that of the message. */
export interface DeadLetterAddress {
  readonly subject: string;
  /** Added to the message's own headers, and still there when it is replayed. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Copies a message to the dead-letter queue (a JetStream stream). Doing it twice for one message and address keeps one copy. */
export const deadLetterMessage = async (
  client: JetStreamClient,
  message: JsMsg,
  reason: string,
  address?: DeadLetterAddress,
): Promise<void> => {
  const { stream, streamSequence, deliveryCount } = message.info;
  const subject = address?.subject ?? message.subject;
  const h = copyHeaders(message.headers);
  for (const [name, value] of Object.entries(address?.headers ?? {})) h.set(name, value);
  const death = { reason, stream, sequence: streamSequence, attempts: deliveryCount };
  await publishDead(client, subject, { payload: message.data, headers: h, death, msgID: `${subject}:${stream}:${streamSequence}` });
};

/** Why something is a dead letter, and where it stood. */
export interface DeadLetterCause {
  readonly reason: string;
  readonly stream: string;
  readonly sequence: number;
  readonly attempts: number;
}

/** Message for the dead letters; the same `msgID` within two minutes is stored once. */
export interface DeadLetterCopy {
  readonly payload: Uint8Array;
  /** Still there when it is replayed. */
  readonly headers: MsgHdrs;
  readonly death: DeadLetterCause;
  readonly msgID: string;
}

/** Puts a copy among the dead letters, to be replayed to a subject. */
export const publishDead = async (
  client: JetStreamClient,
  subject: string,
  { payload, headers: h, death, msgID }: DeadLetterCopy,
): Promise<void> => {
  h.set(names.reason, headerSafe(death.reason));
  h.set(names.stream, death.stream);
  h.set(names.sequence, String(death.sequence));
  h.set(names.attempts, String(death.attempts));
  h.set(names.at, String(Date.now()));
  await client.publish(`${DEAD_PREFIX}${subject}`, payload, { headers: h, msgID, retries: PUBLISH_TRIES });
};

/**
 * The dead letters that match, oldest first, as far as they are there when the first one is asked for. Reads the stream message by message:
 * it is meant to be short.
 */
export async function* listDeadLetters(nats: NatsConnection, filter: DeadLetterFilter = {}): AsyncGenerator<DeadLetter> {
  const manager = await jetstreamManager(nats);
  const { sequences, after = 0, limit = Number.POSITIVE_INFINITY } = filter;
  if (!(await streamExists(manager, DEAD_LETTER_STREAM))) return;
  const [least, most] = sequences ? [Math.min(...sequences), Math.max(...sequences)] : [1, Number.POSITIVE_INFINITY];
  // What is replayed in vain comes back at the end and would be replayed for ever.
  const last = Math.min((await manager.streams.info(DEAD_LETTER_STREAM)).state.last_seq, most);
  let [next, found] = [Math.max(after + 1, least), 0];
  while (found < limit && next <= last) {
    const query = { seq: next, next_by_subj: `${DEAD_PREFIX}${filter.subject ?? '>'}` };
    const stored = await manager.direct.getMessage(DEAD_LETTER_STREAM, query);
    if (!stored || stored.seq > last) return;
    next = stored.seq + 1;
    if (sequences && !sequences.includes(stored.seq)) continue;
    found += 1;
    yield toDeadLetter(stored);
  }
}

const withoutStream = ({ sequence, subject }: DeadLetter, replayed: number): Rejection =>
  new Rejection(
    'conflict',
    `No stream takes ${subject}, where dead letter ${sequence} belongs: start the service that makes the stream, or drop the letter. ` +
      `${replayed} before it were sent again`,
  );

/**
 * Sends matching dead letters to where they were meant to go and removes them. Answers how many. An event goes to the queue of the one
 * reactor that failed on it, never into the log again.
 * @throws Rejection `conflict` at the first one that no stream takes
 * A crash in between may leave a letter that is replayed already; replaying it again within two minutes is recognised.
 */
export const replayDeadLetters = async (nats: NatsConnection, filter: DeadLetterFilter = {}): Promise<number> => {
  const manager = await jetstreamManager(nats);
  const client = jetstream(nats);
  let replayed = 0;
  for await (const letter of listDeadLetters(nats, filter)) {
    if ((await manager.streams.names(letter.subject).next()).length === 0) throw withoutStream(letter, replayed);
    const stored = await manager.streams.getMessage(DEAD_LETTER_STREAM, { seq: letter.sequence });
    const h = copyHeaders(stored?.header);
    for (const name of Object.values(names)) h.delete(name);
    await client.publish(letter.subject, letter.payload, { headers: h, msgID: `replay:${letter.sequence}`, retries: PUBLISH_TRIES });
    await manager.streams.deleteMessage(DEAD_LETTER_STREAM, letter.sequence);
    replayed += 1;
  }
  return replayed;
};

/** Deletes a dead letter without sending it again. Answers false when it was not there. */
export const dropDeadLetter = async (nats: NatsConnection, sequence: number): Promise<boolean> => {
  const manager = await jetstreamManager(nats);
  for await (const { sequence: found } of listDeadLetters(nats, { sequences: [sequence] }))
    return manager.streams.deleteMessage(DEAD_LETTER_STREAM, found);
  return false;
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
