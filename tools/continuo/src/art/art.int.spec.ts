import { mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownTestPostgres, type TestPostgres } from '@continuo/local-servers';
import { testS3, type TestS3 } from '@continuo/local-servers/s3';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCli, type CliRun } from '../../test/index.js';
import { SpecServer } from '../../test/backup/spec-world.js';

// Whole systems start and stop here, also on machines that have other things to do.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

let postgres: TestPostgres;
let s3: TestS3;
let home: string;
/** A server whose pictures are in NATS; ada has one. */
let source: SpecServer;
let key: string;
const servers: SpecServer[] = [];

const server = async (settings: Record<string, string>): Promise<SpecServer> => {
  const made = await SpecServer.make(postgres, settings);
  servers.push(made);
  return made;
};
const succeeds = async (run: Promise<CliRun>): Promise<string> => {
  const { out, err, exitCode } = await run;
  if (exitCode !== 0) throw new Error(err);
  return out;
};
const inS3 = (): string => `s3+${s3.endpoint}/${s3.bucket}/pictures`;
const s3Key = (): Record<string, string> => ({ S3_ACCESS_KEY_ID: s3.accessKeyId, S3_SECRET_ACCESS_KEY: s3.secretAccessKey });
const askAvatar = ({ env }: SpecServer, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${env['CONTINUO_SERVER']}/rest/getAvatar.view?username=ada&apiKey=${key}&v=1.16.1&c=spec`, { headers });
const avatarOf = async (from: SpecServer): Promise<{ status: number; type: string | null; bytes: number }> => {
  const answer = await askAvatar(from);
  const bytes = (await answer.arrayBuffer()).byteLength;
  return { status: answer.status, type: answer.headers.get('content-type'), bytes };
};
const artFolder = (data: string): Promise<string[]> => readdir(join(data, 'art')).catch(() => []);

beforeAll(async () => {
  postgres = await ownTestPostgres();
  s3 = await testS3();
  home = await realpath(await mkdtemp(join(tmpdir(), 'continuo-art-')));
  await writeFile(join(home, 'pixel.png'), PIXEL);
  source = await server({ ART_STORAGE: 'nats', ...s3Key() });
  await source.start();
  await succeeds(source.run('user', 'add', 'ada'));
  await succeeds(source.run('user', 'avatar', 'ada', join(home, 'pixel.png')));
  key = /\S{30,}/.exec(await succeeds(source.run('user', 'key', 'ada', '--name', 'spec')))?.[0] ?? '';
});
afterAll(async () => {
  await Promise.all(servers.map((made) => made.end()));
  await s3.stop();
  await postgres.stop();
  await rm(home, { recursive: true, force: true });
});

describe('pictures in NATS', () => {
  it('are stored and sent without a folder', async () => {
    expect(await avatarOf(source)).toMatchObject({ status: 200, type: 'image/jpeg', bytes: expect.any(Number) });
    expect((await avatarOf(source)).bytes).toBeGreaterThan(500);
    expect(await artFolder(source.data)).toEqual([]);
    const nats = await connect({ servers: source.nats.url });
    const { state, config } = await (await jetstreamManager(nats)).streams.info('KV_art');
    await nats.close();
    expect([state.messages, config.num_replicas]).toEqual([2, 1]);
  });

  it('are sent in part, and not again to who has them', async () => {
    const whole = await askAvatar(source);
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect(whole.headers.get('cache-control')).toContain('max-age');
    const etag = whole.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
    expect((await askAvatar(source, { 'if-none-match': etag })).status).toBe(304);
    const part = await askAvatar(source, { range: 'bytes=100-199' });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(100, 200))).toBe(true);
  });

  it('are looked at by the doctor', async () => {
    const { out } = await source.run('doctor', '--json');
    const { findings } = JSON.parse(out) as { findings: { subject: string; status: string; detail: string }[] };
    expect(findings.find(({ subject }) => subject === 'Pictures')).toMatchObject({
      status: 'ok',
      detail: 'in the bucket "art" of NATS, 1 MB, one copy',
    });
  });

  it('are in a backup, and come back into a folder', async () => {
    const folder = join(home, 'backup');
    expect(await source.run('backup', folder)).toMatchObject({ err: '', exitCode: 0, out: expect.stringContaining('1 picture,') });
    expect(await source.run('backup', 'verify', folder)).toMatchObject({ exitCode: 0 });
    const target = await server({});
    expect(await target.run('restore', folder)).toMatchObject({ err: '', out: expect.stringContaining('1 of 1 picture brought back') });
    expect(await artFolder(target.data)).toHaveLength(1);
    await target.start();
    expect(await avatarOf(target)).toEqual(await avatarOf(source));
    await target.stop();
  });

  it('are in a backup that the server takes, and come back into NATS', async () => {
    expect(await source.run('backup')).toMatchObject({ err: '', out: expect.stringContaining('1 picture,') });
    const [name = ''] = await readdir(join(source.data, 'backups'));
    const target = await server({ ART_STORAGE: 'nats' });
    const restored = await target.run('restore', join(source.data, 'backups', name));
    expect(restored).toMatchObject({ err: '', out: expect.stringContaining('1 of 1 picture brought back') });
    expect(await target.run('restore', join(source.data, 'backups', name), '--replace')).toMatchObject({
      err: '',
      out: expect.stringContaining('0 of 1 picture brought back'),
    });
  });
});

describe('continuo art copy', () => {
  it('copies to S3 storage while the server runs, from which another one with these settings sends them', async () => {
    const first = await source.run('art', 'copy', '--to', inS3());
    expect(first).toMatchObject({ err: '', exitCode: 0 });
    expect(first.out).toMatch(/1 picture copied, .*; 0 already there/);
    expect(first.out).toContain(`ART_STORAGE=${inS3()}`);
    const again = JSON.parse((await source.run('art', 'copy', '--to', inS3(), '--json')).out) as unknown;
    expect(again).toEqual({ total: 1, copied: 0, copiedBytes: 0, damaged: [] });
    const folder = join(home, 'for-s3');
    await source.run('backup', folder, '--without-pictures');
    const target = await server({ ART_STORAGE: inS3(), ...s3Key() });
    expect(await target.run('restore', folder)).toMatchObject({ err: '' });
    await target.start();
    expect(await avatarOf(target)).toEqual(await avatarOf(source));
    expect((await target.run('doctor')).out).toContain('Pictures: in the bucket "music" of S3 storage');
    await target.stop();
  });

  it('copies into the folder', async () => {
    expect((await source.run('art', 'copy', '--to', 'folder')).err).toBe('');
    expect(await artFolder(source.data)).toHaveLength(1);
  });

  it.each([
    [['--to', 'nats'], 'the pictures are in nats already'],
    [['--to', 'elsewhere'], 'is none of folder, nats'],
    [['--to', 's3+http://127.0.0.1:1/bucket', '--from', 'subsonic+http://host/'], 'is none of folder, nats'],
  ])('refuses %j', async (args, said) => {
    expect(await source.run('art', 'copy', ...args)).toMatchObject({ exitCode: 1, err: expect.stringContaining(said) });
  });

  it('says so when there is no key', async () => {
    const { env } = source;
    const run = await runCli({ ...env, S3_SECRET_ACCESS_KEY: '' }, 'art', 'copy', '--to', inS3());
    expect(run).toMatchObject({ exitCode: 1, err: expect.stringContaining('S3_SECRET_ACCESS_KEY is not set') });
  });
});
