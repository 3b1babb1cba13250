import { DeliverPolicy, jetstream } from '@nats-io/jetstream';
import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import { linesOf, type FileEntry } from '../format/files.js';

/** Entry of a stream's index for one message. */
export interface IndexedMessage {
  readonly position: number;
  /** When the server took it, nanoseconds since 1970; more than a number holds exactly. */
  readonly timeNs: bigint;
  /** The atomic batch that it came in, and its place there; absent for a single message. */
  readonly batch?: { readonly id: string; readonly place: number; readonly isLast: boolean };
}

const names = { batch: 'Nats-Batch-Id', place: 'Nats-Batch-Sequence', commit: 'Nats-Batch-Commit' } as const;
const LINES_AT_ONCE = 2000;
const READ_AHEAD_BYTES = 8 * 1024 * 1024;

const lineOf = (position: number, timeNs: bigint, header: MsgHdrs | undefined): string => {
  const batch = header?.get(names.batch);
  const place = batch ? `\t${batch}\t${header?.get(names.place) ?? ''}\t${header?.get(names.commit) ? '1' : ''}` : '';
  return `${position}\t${timeNs}${place}\n`;
};

/**
 * One line per message of a stream up to `last`: position, time, batch. The server sends headers alone, so that the size of events does not matter.
 * @throws Error when the stream cannot be read to there
 */
export async function* indexLines(nats: NatsConnection, stream: string, last: number, messages: number): AsyncGenerator<Uint8Array> {
  if (messages === 0 || last === 0) return;
  const consumer = await jetstream(nats).consumers.get(stream, { deliver_policy: DeliverPolicy.All, headers_only: true });
  const arriving = await consumer.consume({ max_bytes: READ_AHEAD_BYTES });
  let lines: string[] = [];
  try {
    for await (const message of arriving) {
      if (message.seq > last) break;
      lines.push(lineOf(message.seq, BigInt(message.info.timestampNanos), message.headers));
      if (lines.length >= LINES_AT_ONCE) {
        yield Buffer.from(lines.join(''));
        lines = [];
      }
      if (message.seq === last || message.info.pending === 0) break;
    }
  } finally {
    await arriving.close();
  }
  if (lines.length > 0) yield Buffer.from(lines.join(''));
}

/** Reads an index back. @throws Error for a line that is none */
export async function* readIndex(folder: string, file: FileEntry): AsyncGenerator<IndexedMessage> {
  for await (const line of linesOf(folder, file)) {
    const [position = '', time = '', id, place, commit] = line.split('\t');
    if (!/^\d+$/.test(position) || !/^\d+$/.test(time)) throw new Error(`${file.path} holds something else than positions`);
    const message = { position: Number(position), timeNs: BigInt(time) };
    yield id ? { ...message, batch: { id, place: Number(place), isLast: commit === '1' } } : message;
  }
}
