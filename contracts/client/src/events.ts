import { createParser } from 'eventsource-parser';
import type { ServerOptions } from './clients.js';

/** An event that a server tells. */
export interface ServerEvent {
  /** Position to resume after. */
  readonly id: string | undefined;
  /** Type, such as `play.recorded`. */
  readonly type: string;
  /** Its JSON document. */
  readonly data: unknown;
}

/** Options of {@link events}. */
export interface EventOptions {
  /** Types, families such as `play.*`; everything when absent. */
  readonly types?: readonly string[];
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
  /** Id of the last event that is known: events after it come first. */
  readonly lastEventId?: string;
  /** Told why a connection ended by an error, before the next one is opened. */
  readonly onDisconnect?: (error: unknown) => void;
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** Refusals that the next try gets as well. */
const isFinal = (status: number): boolean => status >= 400 && status < 500 && status !== 408 && status !== 429;

/** Connection of an iteration: where it is, and how long to wait before the next. */
interface Connection {
  lastEventId: string | undefined;
  pauseMs: number;
}

const later = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

const open = async (server: ServerOptions, { types, signal }: EventOptions, { lastEventId }: Connection): Promise<Response> => {
  const query = types && types.length > 0 ? `?types=${encodeURIComponent(types.join(','))}` : '';
  const headers = {
    authorization: await server.authorization(),
    accept: 'text/event-stream',
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  };
  const send = server.fetch ?? globalThis.fetch;
  return send(`${server.url.replace(/\/+$/, '')}/events${query}`, { headers, ...(signal ? { signal } : {}) });
};

/** Events of one connection until it ends. */
async function* read(body: ReadableStream<Uint8Array>, connection: Connection): AsyncGenerator<ServerEvent> {
  let ready: ServerEvent[] = [];
  const parser = createParser({
    onEvent: ({ id, event = 'message', data }) => ready.push({ id, type: event, data: JSON.parse(data) as unknown }),
    onRetry: (ms) => (connection.pauseMs = ms),
  });
  const text = new TextDecoder();
  // Not `for await`: some browsers cannot iterate over a body.
  const reader = body.getReader();
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      parser.feed(text.decode(chunk.value, { stream: true }));
      const received = ready;
      ready = [];
      for (const event of received) {
        connection.lastEventId = event.id ?? connection.lastEventId;
        yield event;
      }
    }
  } finally {
    await reader.cancel();
  }
}

/**
 * Iterates over what a server tells (`GET /events`). A connection that breaks is opened again after the last event; ends with the signal.
 * @throws Error when the server refuses for good, such as for a key that is not valid
 */
export async function* events(server: ServerOptions, options: EventOptions = {}): AsyncGenerator<ServerEvent> {
  const connection: Connection = { lastEventId: options.lastEventId, pauseMs: FIRST_PAUSE_MS };
  const isOver = (): boolean => options.signal?.aborted === true;
  for (let failures = 0; !isOver();) {
    try {
      const response = await open(server, options, connection);
      if (isFinal(response.status)) throw new RefusedEvents(response.status, await response.text());
      if (response.ok && response.body) {
        failures = 0;
        yield* read(response.body, connection);
      } else await response.body?.cancel();
    } catch (error) {
      // A connection would bring the same refusal, or the same event, again.
      if (error instanceof RefusedEvents || error instanceof SyntaxError) throw error;
      if (!isOver()) options.onDisconnect?.(error);
    }
    if (!isOver()) await later(Math.min(connection.pauseMs * 2 ** failures, LONGEST_PAUSE_MS), options.signal);
    failures += 1;
  }
}

/** A server does not tell its events to this caller. */
class RefusedEvents extends Error {
  constructor(status: number, text: string) {
    super(`the server refuses to tell events: ${status} ${text.trim()}`);
  }
}
