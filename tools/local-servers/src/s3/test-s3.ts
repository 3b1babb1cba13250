import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { startServerProcess, type ServerProcess } from '../child/server-process.js';
import { LocalServerError } from '../error.js';
import { freePort } from '../free-port.js';

/** S3-compatible storage of a test: a server of its own over a folder that is thrown away. */
export interface TestS3 {
  /** `http://127.0.0.1:port` */
  readonly endpoint: string;
  readonly port: number;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Name of the bucket that is there. */
  readonly bucket: string;
  /** Writes an object. */
  readonly put: (key: string, bytes: Uint8Array | string) => Promise<void>;
  /** Deletes an object. */
  readonly remove: (key: string) => Promise<void>;
  /** Ends the server at once; `restart` brings it back with all that it holds. */
  readonly kill: () => Promise<void>;
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** The only account that the server knows. */
const ACCOUNT = 'S3RVER';
const BUCKET = 'music';
const READY_MS = 20_000;
const PAUSE_MS = 50;

/** The program; its package tells where it lies. */
const program = (): string => {
  const found = createRequire(import.meta.url).resolve('s3rver/package.json');
  return join(dirname(found), 'bin', 's3rver.js');
};

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

const start = async (home: string, port: number): Promise<ServerProcess> => {
  const options = ['--directory', home, '--address', '127.0.0.1', '--port', String(port), '--configure-bucket', BUCKET];
  // Its marks of pages are sealed by a cipher that counts as old.
  const args = ['--openssl-legacy-provider', program(), ...options, '--silent'];
  const server = await startServerProcess({
    name: 's3rver',
    bin: process.execPath,
    args,
    cwd: home,
    stopSignal: 'TERM',
    removeAfterCrash: home,
  });
  const untilMs = performance.now() + READY_MS;
  while (!(await answers(port))) {
    if (performance.now() > untilMs) {
      await server.kill();
      throw new LocalServerError(`the S3 server did not come up: ${server.lastLines()}`);
    }
    await delay(PAUSE_MS);
  }
  return server;
};

/**
 * Starts an S3 server with one empty bucket for the tests of one file. It refuses unknown names, and does not look at signatures.
 * @throws LocalServerError when it does not come up
 */
export const testS3 = async (): Promise<TestS3> => {
  const home = await mkdtemp(join(tmpdir(), 'continuo-test-s3-'));
  const port = await freePort();
  let server = await start(home, port);
  const endpoint = `http://127.0.0.1:${port}`;
  const credentials = { accessKeyId: ACCOUNT, secretAccessKey: ACCOUNT };
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  return {
    endpoint,
    port,
    ...credentials,
    bucket: BUCKET,
    put: async (key, bytes) => void (await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: key, Body: bytes }))),
    remove: async (key) => void (await client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: key }))),
    kill: () => server.kill(),
    restart: async () => {
      await server.kill();
      server = await start(home, port);
    },
    stop: async () => {
      client.destroy();
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
};
