import { readersWaitSubject, type ReadersWaitNotice } from '@continuo/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { pause } from '../pause.js';

/** Somebody who waits is taken into account for so long: writes come in runs. Readers that wait say so at least twice as often. */
export const READERS_WAIT_MS = 1000;
/** The same for the watch over readers, which looks every two seconds. */
const AWAITED_MS = 5000;

/** Knows of which streams somebody waits for an event to be shown. Nobody else minds when events are shown a moment later, many at a time. */
export class WaitingReaders {
  static readonly #open = new WeakMap<NatsConnection, WaitingReaders>();

  readonly #heardAt = new Map<string, number>();
  readonly #checkpointsAt = new Map<string, number>();
  readonly #resting = new Map<string, Set<() => void>>();

  private constructor(nats: NatsConnection) {
    if (nats.isClosed()) return;
    nats.subscribe(readersWaitSubject('*'), {
      callback: (error, message) => {
        if (!error) this.#note(message.json<ReadersWaitNotice>());
      },
    });
  }

  static of(nats: NatsConnection): WaitingReaders {
    const known = WaitingReaders.#open.get(nats) ?? new WaitingReaders(nats);
    WaitingReaders.#open.set(nats, known);
    return known;
  }

  /** True when somebody has waited for events of the stream lately. */
  isAwaited(stream: string): boolean {
    return isRecent(this.#heardAt.get(stream), AWAITED_MS);
  }

  /** True when somebody waits who sees nothing but checkpoints. */
  needCheckpoints(stream: string): boolean {
    return isRecent(this.#checkpointsAt.get(stream));
  }

  /** Waits, but not while somebody waits for events of the stream, or when the signal fires. */
  async restUnlessAwaited(stream: string, ms: number, signal: AbortSignal): Promise<void> {
    if (isRecent(this.#heardAt.get(stream))) return;
    const ending = new AbortController();
    const end = (): void => ending.abort();
    const resting = this.#resting.get(stream) ?? new Set();
    this.#resting.set(stream, resting.add(end));
    signal.addEventListener('abort', end, { once: true });
    await pause(ms, ending.signal);
    signal.removeEventListener('abort', end);
    resting.delete(end);
  }

  #note({ stream, seesCheckpointsOnly }: ReadersWaitNotice): void {
    this.#heardAt.set(stream, performance.now());
    if (seesCheckpointsOnly) this.#checkpointsAt.set(stream, performance.now());
    for (const end of this.#resting.get(stream) ?? []) end();
  }
}

const isRecent = (atMs: number | undefined, withinMs = READERS_WAIT_MS): boolean =>
  atMs !== undefined && performance.now() - atMs < withinMs;
