import { setTimeout as delay } from 'node:timers/promises';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5000;

/** A server process that can be looked after. */
export interface SupervisedServer {
  readonly port: number;
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** A server that is started again whenever it ends. */
export interface Supervised<S> {
  current(): S;
  /** Ends it in order and returns when it runs again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a server and, when it ends unasked, starts it again on the same port and data, however often that takes (its disk may be full): the services reconnect by themselves.
 * @param report receives sentences for the operator
 */
export const supervise = async <S extends SupervisedServer>(
  start: (port?: number) => Promise<S>,
  report: (message: string) => void,
): Promise<Supervised<S>> => {
  const stop = new AbortController();
  let isRestarting = false;
  let running = Promise.withResolvers<void>();
  let server = await start();
  const revive = async (): Promise<void> => {
    let before = '';
    for (let pauseMs = FIRST_PAUSE_MS; !stop.signal.aborted; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        // Gives back what the dead process still holds: its pid file and its claim on the data folder.
        await server.stop();
        if (!isRestarting) await delay(pauseMs);
        if (!stop.signal.aborted) server = await start(server.port);
        if (before !== '') report('It runs again.');
        return;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (reason !== before) report(`It could not be started again and is tried again every few seconds: ${reason}`);
        before = reason;
        await delay(pauseMs);
      }
    }
  };
  const watch = async (): Promise<void> => {
    for (;;) {
      await server.ended;
      if (stop.signal.aborted) return;
      if (!isRestarting) report('A server process has ended unexpectedly; it is started again.');
      await revive();
      running.resolve();
    }
  };
  const watching = watch();
  return {
    current: () => server,
    restart: async () => {
      [isRestarting, running] = [true, Promise.withResolvers<void>()];
      try {
        await server.stop();
        await running.promise;
      } finally {
        isRestarting = false;
      }
    },
    stop: async () => {
      stop.abort();
      running.resolve();
      await server.stop();
      await Promise.allSettled([watching]);
    },
  };
};
