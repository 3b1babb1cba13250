import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNats, testNats } from '@continuo/local-servers';
import { describe, expect, it } from 'vitest';
import { recordingLog } from '../../test/recording-log.js';
import { checkServerVersion, closeNats, connectNats } from './connect-nats.js';
import { onStatus } from './on-status.js';

describe('the version of nats-server', () => {
  it.each(['2.9.10', '2.11.99', '2.12.3', '2.10.27-beta.1', '0'])('%s is refused with a sentence that says what to do', (version) => {
    expect(() => checkServerVersion(version, recordingLog().log)).toThrow(
      /too old: Continuo needs 2\.12\.4 or newer .* Please upgrade nats-server/,
    );
  });

  it.each(['2.12.4', '2.14.3'])('%s is taken with a warning', (version) => {
    const { log, lines } = recordingLog();
    checkServerVersion(version, log);
    expect(lines).toMatchObject([{ level: 40, version, recommended: '2.15.0' }]);
  });

  it.each(['2.15.0', '2.15.1', '3.0.0', '2.16.0-RC.1'])('%s is taken', (version) => {
    const { log, lines } = recordingLog();
    checkServerVersion(version, log);
    expect(lines).toEqual([]);
  });
});

describe('the connection to NATS', () => {
  it('outlives a crash of the server', async () => {
    const server = await testNats();
    const { log, lines } = recordingLog();
    const nats = await connectNats('spec', { NATS_URL: server.url }, log);
    const heard: string[] = [];
    for (const type of ['disconnect', 'reconnect', 'close'] as const) onStatus(nats, type, () => heard.push(type));
    onStatus(nats, 'reconnect', () => heard.push('too late'))();
    await server.crashAndRestart();
    await expect.poll(() => lines.map(({ msg }) => msg), { timeout: 20_000 }).toContain('NATS connection is back');
    await nats.flush();
    await closeNats(nats);
    await expect.poll(() => heard).toEqual(['disconnect', 'reconnect', 'close']);
    await server.stop();
  });

  it('waits for a server that starts later', async () => {
    const server = await testNats();
    await server.kill();
    const connecting = connectNats('spec', { NATS_URL: server.url }, recordingLog().log, 5000);
    await server.restart();
    await closeNats(await connecting);
    await server.stop();
  });

  it('tries again when the server says that it has not heard the login in time, until it is refused', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      const info = { server_id: 'X', server_name: 'X', version: '2.15.0', max_payload: 1_000_000, proto: 1, auth_required: true };
      socket.on('error', () => undefined);
      socket.end(`INFO ${JSON.stringify(info)}\r\n-ERR 'Auth${connections < 3 ? 'entication Timeout' : 'orization Violation'}'\r\n`);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(connectNats('spec', { NATS_URL: `127.0.0.1:${port}` }, recordingLog().log)).rejects.toThrow(/Authorization Violation/);
    expect(connections).toBe(3);
    server.close();
  });

  it('logs in with the settings or with what the URL says, and does not wait when the login is refused', async () => {
    const home = await mkdtemp(join(tmpdir(), 'continuo-connect-spec-'));
    const server = await startNats({ storeDir: join(home, 'store'), syncAlways: false, removeAfterCrash: home });
    const { user = '', password = '' } = server.login ?? {};
    const { log } = recordingLog();
    await closeNats(await connectNats('spec', { NATS_URL: server.url }, log));
    await closeNats(await connectNats('spec', { NATS_URL: server.server, NATS_USER: user, NATS_PASSWORD: password }, log));
    const startedAt = Date.now();
    await expect(connectNats('spec', { NATS_URL: server.server, NATS_USER: user, NATS_PASSWORD: 'wrong' }, log)).rejects.toThrow(
      /NATS cannot be used/,
    );
    expect(Date.now() - startedAt).toBeLessThan(20_000);
    await server.stop();
    await rm(home, { recursive: true, force: true });
  });
});
