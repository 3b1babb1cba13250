import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNats, type NatsOptions, type NatsServer } from './start-nats.js';

/** A throw-away server with an empty store and no login. */
export interface TestNats {
  /** `nats://127.0.0.1:port`, ready for the client's `servers` option. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly version: string;
  /** Folder of the streams. */
  readonly storeDir: string;
  /** Ends the server with SIGKILL and starts it again on the same port and store. */
  readonly crashAndRestart: () => Promise<void>;
  /** Stops the server in order and starts it again on the same port and store. */
  readonly restart: () => Promise<void>;
  /** Ends the server with SIGKILL; `restart` brings it back. */
  readonly kill: () => Promise<void>;
  /** Ends the server, in order or with SIGKILL, does something to its store, and starts it again on the same port. */
  readonly restartAfter: (end: 'stop' | 'kill', change: (storeDir: string) => Promise<void>) => Promise<void>;
  /** Stops the server and deletes its store. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a NATS server for the tests of one file (well under 0.1 s).
 * It ends and its store vanishes with `stop`, or with this process, even by kill -9.
 * @param options `syncAlways` is false unless asked for
 * @throws LocalServerError when no new enough program is found
 */
export async function testNats(options: Pick<NatsOptions, 'syncAlways' | 'maxPayloadBytes' | 'log'> = {}): Promise<TestNats> {
  const home = await mkdtemp(join(await realpath(tmpdir()), 'continuo-test-nats-'));
  const start = (port?: number): Promise<NatsServer> =>
    startNats({
      syncAlways: false,
      ...options,
      auth: false,
      storeDir: join(home, 'store'),
      removeAfterCrash: home,
      ...(port ? { port } : {}),
    });
  let server = await start().catch(async (error: unknown) => {
    await rm(home, { recursive: true, force: true });
    throw error;
  });
  const { url, port, version } = server;
  const storeDir = join(home, 'store');
  const again = async (end: () => Promise<void>): Promise<void> => {
    await end();
    server = await start(port);
  };
  return {
    url,
    port,
    version,
    storeDir,
    get pid() {
      return server.pid;
    },
    crashAndRestart: () => again(() => server.kill()),
    restart: () => again(() => server.stop()),
    kill: () => server.kill(),
    restartAfter: (end, change) =>
      again(async () => {
        await server[end]();
        await change(storeDir);
      }),
    stop: async () => {
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}
