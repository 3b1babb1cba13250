import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { locateNats, startServerProcess, type ServerProcess } from '@continuo/local-servers';
import { nkeys } from '@nats-io/transport-node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordingLog } from '../../test/recording-log.js';
import { closeNats, connectNats, type NatsSettings } from './connect-nats.js';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

let home: string;
let server: ServerProcess | undefined;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuo-proofs-'));
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
  await rm(home, { recursive: true, force: true });
});

/** A nats-server with a configuration of its own; answers `host:port`. */
const started = async (configuration: string): Promise<string> => {
  const file = join(home, 'nats.conf');
  await writeFile(file, `listen: 127.0.0.1:-1\n${configuration}\n`);
  const { path: bin } = await locateNats();
  server = await startServerProcess({
    name: 'nats-server',
    bin,
    args: ['-c', file],
    cwd: home,
    stopSignal: 'TERM',
    removeAfterCrash: home,
  });
  const { onLine } = server;
  return new Promise((resolve) =>
    onLine((line) => {
      const address = /client connections on (?<address>\S+)/.exec(line)?.groups?.['address'];
      if (address !== undefined) resolve(address);
    }),
  );
};

const connecting = async (settings: NatsSettings): Promise<boolean> => {
  const nats = await connectNats('spec', settings, recordingLog().log, 0);
  await nats.flush();
  await closeNats(nats);
  return true;
};

const credentials = (jwt: string, seed: string): string =>
  `-----BEGIN NATS USER JWT-----\n${jwt}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`;

describe('what proves to NATS who asks', () => {
  it('may be a file of credentials; one that is not there is named', async () => {
    const [ours, other] = [nkeys.createUser(), nkeys.createUser()];
    // A server that knows the key itself looks at the signature alone: no account server is needed here.
    const address = await started(`authorization { users: [ { nkey: ${ours.getPublicKey()} } ] }`);
    const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
    await writeFile(join(home, 'ours.creds'), credentials('e30.e30.e30', decode(ours.getSeed())));
    await writeFile(join(home, 'other.creds'), credentials('e30.e30.e30', decode(other.getSeed())));
    expect(await connecting({ NATS_URL: address, NATS_CREDS_FILE: join(home, 'ours.creds') })).toBe(true);
    await expect(connecting({ NATS_URL: address, NATS_CREDS_FILE: join(home, 'other.creds') })).rejects.toThrow(/NATS cannot be used/);
    await expect(connecting({ NATS_URL: address })).rejects.toThrow(/NATS cannot be used/);
    await expect(connecting({ NATS_URL: address, NATS_CREDS_FILE: join(home, 'none.creds') })).rejects.toThrow(/none\.creds/);
  });

  it.skipIf(!hasOpenssl)('may be certificates on both sides', async () => {
    const file = (name: string): string => join(home, name);
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2', '-nodes'];
    for (const name of ['server', 'client'])
      execFileSync(
        'openssl',
        [
          'req',
          '-x509',
          '-newkey',
          'ec',
          '-pkeyopt',
          'ec_paramgen_curve:prime256v1',
          '-keyout',
          file(`${name}.key`),
          '-out',
          file(`${name}.pem`),
          ...subject,
        ],
        {
          stdio: 'ignore',
        },
      );
    const address = await started(
      `tls { cert_file: "${file('server.pem')}", key_file: "${file('server.key')}", ca_file: "${file('client.pem')}", verify: true }`,
    );
    const certificates = {
      NATS_URL: `tls://${address}`,
      NATS_TLS_CA_FILE: file('server.pem'),
      NATS_TLS_CERT_FILE: file('client.pem'),
      NATS_TLS_KEY_FILE: file('client.key'),
    };
    expect(await connecting(certificates)).toBe(true);
    expect(await connecting({ ...certificates, NATS_URL: address })).toBe(true);
    await expect(connecting({ NATS_URL: `tls://${address}` })).rejects.toThrow(/NATS cannot be used/);
  });
});
