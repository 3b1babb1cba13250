import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../free-port.js';
import type { S3Command, S3Place } from './s3-command.js';

/** Keys of Garage have a form of their own. */
const account = { accessKeyId: `GK${'5e'.repeat(12)}`, secretAccessKey: '5e'.repeat(32) } as const;

/** Command that starts a Garage of one node, with the bucket and an account that may make others. */
const command = async (bin: string, { home, port, bucket }: S3Place): Promise<S3Command> => {
  const rpc = await freePort();
  const settings = join(home, 'garage.toml');
  for (const folder of ['meta', 'data']) await mkdir(join(home, folder), { recursive: true });
  await writeFile(
    settings,
    `metadata_dir = "${home}/meta"
data_dir = "${home}/data"
db_engine = "lmdb"
replication_factor = 1
rpc_bind_addr = "127.0.0.1:${rpc}"
rpc_public_addr = "127.0.0.1:${rpc}"
rpc_secret = "${'a1'.repeat(32)}"

[s3_api]
s3_region = "us-east-1"
api_bind_addr = "127.0.0.1:${port}"
`,
  );
  const env = {
    GARAGE_DEFAULT_ACCESS_KEY: account.accessKeyId,
    GARAGE_DEFAULT_SECRET_KEY: account.secretAccessKey,
    GARAGE_DEFAULT_BUCKET: bucket,
    RUST_LOG: 'garage=warn',
  };
  return { name: 'garage', bin, args: ['--config', settings, 'server', '--single-node', '--default-bucket'], env };
};

/** Garage, which has neither versions of objects nor encryption with keys of its own. */
export const garage = { account, command, keepsVersions: false, looksAtRegions: true, encrypts: false };
