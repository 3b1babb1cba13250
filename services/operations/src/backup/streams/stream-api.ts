import { createInbox, type NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import { framed, unframed } from './s2-frames.js';

/** Bytes of one piece that the server sends; well under the 1 MiB that servers take by default. */
const CHUNK_BYTES = 128 * 1024;
const ANSWER_WITHIN_MS = 60_000;
/** A stream is put together by the server after its last piece: millions of subjects take their time. */
const RESTORED_WITHIN_MS = 30 * 60_000;
/** A server that sends nothing for so long has gone, or another one leads the stream now. */
const SILENT_MS = 60_000;

/** The settings of a stream as the server says them; handed back to it as they are, but for what is changed on purpose. */
export type RawConfig = Record<string, unknown> & { name: string };
/** Positions and counts of a stream as the server says them. */
export type RawState = Record<string, unknown> & { messages: number; first_seq: number; last_seq: number };

const errorSchema = z.object({ error: z.object({ err_code: z.int().optional(), description: z.string().optional() }) });
const stateSchema = z.looseObject({ messages: z.int(), first_seq: z.int(), last_seq: z.int() });
const snapshotSchema = z.object({ config: z.looseObject({ name: z.string() }), state: stateSchema });
const restoreSchema = z.object({ deliver_subject: z.string() });
const restoredSchema = z.object({ state: stateSchema });

/** JetStream refuses a request. */
export class StreamRefused extends Error {
  override readonly name = 'StreamRefused';
  /** The server's own number of the fault. */
  readonly code: number | undefined;

  constructor(message: string, code?: number) {
    super(message);
    this.code = code;
  }
}

/** One request of JetStream's own API; the client has no calls for these. @throws StreamRefused with the server's words */
const ask = async <T>(nats: NatsConnection, subject: string, body: unknown, schema: z.ZodType<T>): Promise<T> => {
  const payload = body instanceof Uint8Array ? body : JSON.stringify(body);
  // The end of a restore alone is an empty message.
  const timeout = payload.length === 0 ? RESTORED_WITHIN_MS : ANSWER_WITHIN_MS;
  const said: unknown = (await nats.request(subject, payload, { timeout })).json();
  const refused = errorSchema.safeParse(said);
  if (refused.success) {
    const { description, err_code: code } = refused.data.error;
    throw new StreamRefused(`${subject}: ${description ?? code ?? 'refused'}`, code);
  }
  return schema.parse(said);
};

/** A stream on its way into a backup. */
export interface StreamSnapshot {
  readonly config: RawConfig;
  readonly state: RawState;
  /** The server waits when nobody takes the next piece. */
  readonly pieces: AsyncIterable<Uint8Array>;
}

/**
 * Has the server send a stream as it is at the moment, with all positions, times, headers and gaps, without its consumers. JetStream API `STREAM.SNAPSHOT`.
 * @throws StreamRefused when there is no such stream, or its files are damaged
 */
export const snapshotStream = async (nats: NatsConnection, stream: string): Promise<StreamSnapshot> => {
  const inbox = createInbox();
  const arriving = nats.subscribe(inbox);
  try {
    const wanted = { deliver_subject: inbox, no_consumers: true, jsck: true, chunk_size: CHUNK_BYTES };
    const { config, state } = await ask(nats, `$JS.API.STREAM.SNAPSHOT.${stream}`, wanted, snapshotSchema);
    return { config, state, pieces: unframed(piecesOf(stream, arriving)) };
  } catch (error) {
    arriving.unsubscribe();
    throw error;
  }
};

async function* piecesOf(stream: string, arriving: ReturnType<NatsConnection['subscribe']>): AsyncGenerator<Uint8Array> {
  const cut = new Error(`${stream} stopped arriving`);
  let timer: NodeJS.Timeout | undefined;
  let isSilent = false;
  const watch = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isSilent = true;
      arriving.unsubscribe();
    }, SILENT_MS);
  };
  try {
    watch();
    for await (const message of arriving) {
      const status = message.headers?.code ?? 0;
      if (status >= 400) throw new StreamRefused(`${stream}: ${message.headers?.description ?? ''} (${status})`);
      if (message.data.length === 0) return;
      yield message.data;
      // Only now may the server send further pieces.
      message.respond();
      watch();
    }
    throw isSilent ? new Error(`${stream} was silent for ${SILENT_MS / 1000} s`, { cause: cut }) : cut;
  } finally {
    clearTimeout(timer);
    arriving.unsubscribe();
  }
}

/** Configuration of a restored stream. */
export interface WantedStream {
  readonly config: RawConfig;
  readonly state: RawState;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/**
 * Gives a stream to the server, bit for bit as it was, under the settings of `config`. JetStream API `STREAM.RESTORE`. Answers its state as the server has read it.
 * @throws StreamRefused when there is such a stream already, or what arrived is damaged
 */
export const restoreStream = async (nats: NatsConnection, { config, state, pieces }: WantedStream): Promise<RawState> => {
  const { deliver_subject } = await ask(nats, `$JS.API.STREAM.RESTORE.${config.name}`, { config, state }, restoreSchema);
  for await (const piece of framed(pieces)) {
    const answer = await nats.request(deliver_subject, piece, { timeout: ANSWER_WITHIN_MS });
    const refused = answer.data.length > 0 ? errorSchema.safeParse(answer.json()) : undefined;
    if (refused?.success) throw new StreamRefused(`${config.name}: ${refused.data.error.description ?? 'refused'}`);
  }
  return (await ask(nats, deliver_subject, new Uint8Array(), restoredSchema)).state;
};

/** Gives a stream the settings that the server once said, all of them. @throws StreamRefused */
export const updateStream = async (nats: NatsConnection, config: RawConfig): Promise<void> => {
  await ask(nats, `$JS.API.STREAM.UPDATE.${config.name}`, config, z.unknown());
};

/** Creates a stream with the settings that a server once said. @throws StreamRefused */
export const createStream = async (nats: NatsConnection, config: RawConfig): Promise<void> => {
  await ask(nats, `$JS.API.STREAM.CREATE.${config.name}`, config, z.unknown());
};

/** Settings of a stream or consumer without what the server noted in them about itself. */
export const withoutServerMarks = <C extends Record<string, unknown>>(config: C): C => {
  const metadata = Object.entries((config['metadata'] ?? {}) as Record<string, string>);
  return { ...config, metadata: Object.fromEntries(metadata.filter(([key]) => !key.startsWith('_nats.'))) };
};
