import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { closeNats, connectNats, type NatsSettings } from '../transport/connect-nats.js';

/** A connection to NATS that is in use. */
export interface UsedNats {
  readonly nats: NatsConnection;
  /** Closes it when nobody else uses it. */
  readonly close: () => Promise<void>;
}

/** Connects services to NATS. Parameters and errors as those of {@link connectNats}. */
export interface NatsConnections {
  open(...wanted: Parameters<typeof connectNats>): Promise<UsedNats>;
}

/** A connection of its own for each. */
export const ownNats: NatsConnections = {
  async open(...wanted) {
    const nats = await connectNats(...wanted);
    return { nats, close: () => closeNats(nats) };
  },
};

/** One connection for all services of a process: each costs nats-server a buffer, and both sides signs of life. */
export class SharedNats implements NatsConnections {
  readonly #name: string;
  #connected: Promise<NatsConnection> | undefined;
  #users = 0;

  /** @param name of the process, as operators see it in the list of connections */
  constructor(name: string) {
    this.#name = name;
  }

  async open(_service: string, settings: NatsSettings, log: Logger, patienceMs?: number): Promise<UsedNats> {
    this.#connected ??= connectNats(this.#name, settings, log, patienceMs);
    this.#users += 1;
    const nats = await this.#connected;
    const close = async (): Promise<void> => {
      this.#users -= 1;
      if (this.#users > 0) return;
      this.#connected = undefined;
      await closeNats(nats);
    };
    return { nats, close };
  }
}
