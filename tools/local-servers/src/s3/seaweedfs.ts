import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../free-port.js';
import type { S3Command, S3Place } from './s3-command.js';

const account = { accessKeyId: 'SPECACCOUNT', secretAccessKey: 'specsecret' } as const;

/** A free port for each of these options. */
const PORTS = ['master.port', 'master.port.grpc', 'volume.port', 'volume.port.grpc', 'filer.port', 'filer.port.grpc', 's3.port.grpc'];

/** Command that starts a whole SeaweedFS in one process: it reaches nothing outside of this machine, and nobody outside reaches it. */
const command = async (bin: string, { home, port }: S3Place): Promise<S3Command> => {
  const file = join(home, 's3.json');
  const credentials = [{ accessKey: account.accessKeyId, secretKey: account.secretAccessKey }];
  await writeFile(
    file,
    JSON.stringify({ identities: [{ name: 'spec', credentials, actions: ['Admin', 'Read', 'List', 'Tagging', 'Write'] }] }),
  );
  const ports: string[] = [];
  for (const option of PORTS) ports.push(`-${option}=${await freePort()}`);
  const args = [
    '-logtostderr=true',
    'server',
    '-ip=127.0.0.1',
    '-ip.bind=127.0.0.1',
    `-dir=${home}`,
    '-master.telemetry=false',
    // Many small volumes, so that they need no more disk than a spec has.
    '-master.volumeSizeLimitMB=64',
    '-volume.max=200',
    '-volume.preStopSeconds=0',
    '-filer',
    '-s3',
    `-s3.config=${file}`,
    `-s3.port=${port}`,
    '-s3.port.iceberg=0',
    '-s3.port.lance=0',
    ...ports,
  ];
  // What SSE-S3 seals the keys of objects with.
  return { name: 'weed', bin, args, env: { WEED_S3_SSE_KEK: '5e'.repeat(32) } };
};

/** SeaweedFS. */
export const seaweedfs = { account, command, keepsVersions: true, looksAtRegions: false, encrypts: true };
