import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CreateBucketCommand, DeleteObjectCommand, HeadBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { startServerProcess, type ServerProcess } from '../child/server-process.js';
import { config } from '../config.js';
import { LocalServerError } from '../error.js';
import { freePort } from '../free-port.js';
import { garage } from './garage.js';
import type { S3Account, S3Kind } from './s3-command.js';
import { seaweedfs } from './seaweedfs.js';

/** S3-compatible storage of a test: a server of its own over a folder that is thrown away. */
export interface TestS3 extends S3Account, Pick<S3Kind, 'keepsVersions' | 'looksAtRegions' | 'encrypts'> {
  /** `http://127.0.0.1:port` */
  readonly endpoint: string;
  readonly port: number;
  /** Name of the bucket that is there. */
  readonly bucket: string;
  /** Asks the server for what {@link put} and {@link remove} do not offer. */
  readonly client: S3Client;
  /** Writes an object. */
  readonly put: (key: string, bytes: Uint8Array | string) => Promise<void>;
  /** Deletes an object. */
  readonly remove: (key: string) => Promise<void>;
  /** Ends the server at once; `restart` brings it back with all that it holds. */
  readonly kill: () => Promise<void>;
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const BUCKET = 'music';
const READY_MS = 60_000;
const PAUSE_MS = 50;

/** The small server in JavaScript that its package brings. */
const s3rver: S3Kind = {
  account: { accessKeyId: 'S3RVER', secretAccessKey: 'a secret that it does not look at' },
  keepsVersions: false,
  looksAtRegions: false,
  encrypts: false,
  command: (bin, { home, port, bucket }) => {
    const found = createRequire(import.meta.url).resolve('s3rver/package.json');
    const options = ['--directory', home, '--address', '127.0.0.1', '--port', String(port), '--configure-bucket', bucket];
    // Its marks of pages are sealed by a cipher that counts as old.
    const args = ['--openssl-legacy-provider', join(dirname(found), 'bin', 's3rver.js'), ...options, '--silent'];
    return { name: 's3rver', bin, args };
  },
};

/** The kind of server that was named, and its program. */
const chosen = (): readonly [S3Kind, string] => {
  if (config.weedBin !== undefined) return [seaweedfs, config.weedBin];
  return config.garageBin === undefined ? [s3rver, process.execPath] : [garage, config.garageBin];
};

const start = async (home: string, port: number, client: S3Client): Promise<ServerProcess> => {
  const [kind, bin] = chosen();
  const command = await kind.command(bin, { home, port, bucket: BUCKET });
  const server = await startServerProcess({ ...command, cwd: home, stopSignal: 'TERM', removeAfterCrash: home });
  const untilMs = performance.now() + READY_MS;
  while (!(await hasBucket(client))) {
    if (performance.now() > untilMs) {
      await server.kill();
      throw new LocalServerError(`the S3 server did not come up: ${server.lastLines()}`);
    }
    await delay(PAUSE_MS);
  }
  return server;
};

/** Whether the server answers and has the bucket, which is made where it is missing. */
const hasBucket = (client: S3Client): Promise<boolean> =>
  client
    .send(new HeadBucketCommand({ Bucket: BUCKET }))
    .catch(() => client.send(new CreateBucketCommand({ Bucket: BUCKET })))
    .then(
      () => true,
      () => false,
    );

/**
 * Starts an S3 server with one empty bucket for the tests of one file: SeaweedFS where `WEED_BIN` names one, Garage where `GARAGE_BIN` does, else a small one that refuses unknown names
 * and does not look at signatures.
 * @throws LocalServerError when it does not come up
 */
export const testS3 = async (): Promise<TestS3> => {
  const home = await mkdtemp(join(tmpdir(), 'continuo-test-s3-'));
  const port = await freePort();
  const [{ account, keepsVersions, looksAtRegions, encrypts }] = chosen();
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: account,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  let server = await start(home, port, client);
  return {
    endpoint,
    port,
    ...account,
    keepsVersions,
    looksAtRegions,
    encrypts,
    bucket: BUCKET,
    client,
    put: async (key, bytes) => void (await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: key, Body: bytes }))),
    remove: async (key) => void (await client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: key }))),
    kill: () => server.kill(),
    restart: async () => {
      await server.kill();
      server = await start(home, port, client);
    },
    stop: async () => {
      client.destroy();
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
};
