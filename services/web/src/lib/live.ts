import { events, type ServerEvent } from '@continuo/client';
import { base, session, SignedOutError } from './session.js';

/** Name of the lock and the channel by which the tabs of a browser share one connection. */
const SHARED = 'continuo-events';

type Listener = (event: ServerEvent) => void;

/** Events of the server for each tab of this browser, by one connection where the browser has locks (they need HTTPS or localhost). */
class LiveEvents {
  readonly #listeners = new Set<Listener>();
  #lastEventId: string | undefined;

  /** Calls back for each event; returns how to end that. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Listens until the page is left, or nobody is signed in any more. */
  async start(): Promise<void> {
    const channel = new BroadcastChannel(SHARED);
    channel.addEventListener('message', ({ data }) => this.#tell(data as ServerEvent));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target, it ends at this origin
    const share: Listener = (event) => channel.postMessage(event);
    // Locks are missing over plain HTTP: each tab then listens for itself.
    await ('locks' in navigator ? navigator.locks.request(SHARED, () => this.#listen(share)) : this.#listen(() => undefined));
  }

  async #listen(share: Listener): Promise<void> {
    const end = new AbortController();
    const options = {
      signal: end.signal,
      ...(this.#lastEventId === undefined ? {} : { lastEventId: this.#lastEventId }),
      onDisconnect: (error: unknown) => error instanceof SignedOutError && end.abort(),
    };
    for await (const event of events({ url: base, authorization: session.authorization }, options)) {
      this.#tell(event);
      share(event);
    }
  }

  #tell(event: ServerEvent): void {
    this.#lastEventId = event.id ?? this.#lastEventId;
    for (const listener of this.#listeners) listener(event);
  }
}

/** Events of this server. */
export const live = new LiveEvents();
