import { connect, createServer, type Server, type Socket } from 'node:net';
import { testPostgres, type TestPostgres } from '@continuo/local-servers';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordingLog } from '../../test/recording-log.js';
import { isDatabaseUnavailable } from './database-unavailable.js';
import { openDatabase } from './database.js';

/** Passes bytes on until it is told to hold them. */
class Wire {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isHeld = false;

  constructor(target: number) {
    this.#server = createServer((client) => {
      const server = connect(target, '127.0.0.1');
      for (const [from, to] of [
        [client, server],
        [server, client],
      ] as const) {
        this.#sockets.add(from);
        from.on('error', () => to.destroy());
        from.on('close', () => to.destroy());
        from.on('data', (chunk: Buffer) => {
          if (!this.#isHeld) to.write(chunk);
        });
      }
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as { port: number }).port;
  }

  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

let postgres: TestPostgres;
let wire: Wire;
let url: string;

beforeAll(async () => {
  postgres = await testPostgres();
  const direct = new URL(postgres.url);
  wire = new Wire(Number(direct.port));
  const through = new URL(postgres.url);
  through.port = String(await wire.listen());
  url = through.href;
});
afterAll(async () => {
  await wire.close();
  await postgres.stop();
});

describe('a database that says nothing any more', () => {
  it('is given up, and used again when it answers', { timeout: 120_000 }, async () => {
    const { log, lines } = recordingLog();
    const db = openDatabase({ url, poolSize: 2, applicationName: 'spec', log });
    await sql`select 1`.execute(db);
    wire.hold(true);
    const asked = sql`select 2`.execute(db);
    await expect(asked).rejects.toSatisfy(isDatabaseUnavailable);
    expect(lines.map(({ msg }) => msg)).toContain('the database says nothing any more, giving its connections up');
    wire.hold(false);
    const answer = await sql<{ three: number }>`select 3 as three`.execute(db);
    expect(answer.rows).toEqual([{ three: 3 }]);
    await db.destroy();
  });

  it('is waited for when it only takes long', { timeout: 120_000 }, async () => {
    const db = openDatabase({ url, poolSize: 1, applicationName: 'spec' });
    await sql`select pg_sleep(15)`.execute(db);
    await db.destroy();
  });
});
