import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startNats, type NatsServer } from './start-nats.js';
import { testNats } from './test-nats.js';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuo-nats-spec-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const open = ({ server, login }: NatsServer): Promise<NatsConnection> =>
  connect({ servers: server, ...(login ? { user: login.user, pass: login.password } : {}) });

describe('startNats', () => {
  it('keeps acknowledged messages through kill -9 and an orderly stop', async () => {
    const storeDir = join(home, 'nats');
    const first = await startNats({ storeDir });
    const connection = await open(first);
    await (await jetstreamManager(connection)).streams.add({ name: 'EVENTS', subjects: ['ev.>'] });
    for (let n = 0; n < 20; n += 1) await jetstream(connection).publish('ev.one', String(n));
    const closed = connection.closed();
    await first.kill();
    await connection.close();
    await closed;
    for (const end of ['stop', 'kill'] as const) {
      const next = await startNats({ storeDir, port: first.port });
      const again = await open(next);
      expect((await (await jetstreamManager(again)).streams.info('EVENTS')).state.messages).toBe(20);
      await again.close();
      await next[end]();
    }
  });

  it('asks for the generated login, syncs each message and takes 8 MiB', async () => {
    const storeDir = join(home, 'nats');
    const server = await startNats({ storeDir });
    await expect(connect({ servers: server.server, reconnect: false })).rejects.toThrow(/authorization/i);
    const connection = await open(server);
    expect(connection.info?.max_payload).toBe(8 * 1024 * 1024);
    await connection.close();
    expect(await readFile(`${storeDir}.conf`, 'utf8')).toContain('sync_interval: always');
    for (const file of ['conf', 'password']) expect((await stat(`${storeDir}.${file}`)).mode & 0o777).toBe(0o600);
    await server.stop();
    await server.stop();
  });

  it('refuses a program that is too old, and a store in use', async () => {
    const old = join(home, 'old-nats');
    await writeFile(old, '#!/bin/sh\necho "nats-server: v2.9.10"\n');
    await chmod(old, 0o755);
    await expect(startNats({ storeDir: join(home, 'nats'), serverBin: old })).rejects.toThrow(
      /is version 2\.9\.10; Continuo needs 2\.12\.4/,
    );
    const server = await startNats({ storeDir: join(home, 'nats') });
    await expect(startNats({ storeDir: join(home, 'nats') })).rejects.toThrow(/in use/);
    await server.stop();
  });
});

describe('testNats', () => {
  it('comes back after a crash on the same address', async () => {
    const server = await testNats();
    const before = server.pid;
    await server.crashAndRestart();
    expect(server.pid).not.toBe(before);
    const connection = await connect({ servers: server.url });
    await connection.close();
    await server.stop();
  });
});
