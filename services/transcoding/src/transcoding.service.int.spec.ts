import { startService } from '@continuo/chassis';
import { transcodeCapabilities } from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { transcodingService } from './transcoding.service.js';

let nats: TestNats;
let postgres: TestPostgres;
beforeAll(async () => {
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
});
afterAll(() => Promise.all([nats.stop(), postgres.stop()]));

/** Starts the service over an ffmpeg and answers what it says of it. */
const capabilitiesWith = async (ffmpeg: Record<string, string>) => {
  const env = { DATABASE_URL: postgres.url, NATS_URL: nats.url, CONTINUO_SECRET: 'x'.repeat(32), LOG_LEVEL: 'silent', ...ffmpeg };
  const service = await startService(transcodingService, env);
  try {
    const context = { actor: 'system', correlationId: 'spec', causationId: 'spec' };
    await vi.waitFor(() => expect(service.readiness().ready).toBe(true), 20_000);
    return (await service.deps.commands.send(transcodeCapabilities, {}, context)).result;
  } finally {
    await service.stop();
  }
};

describe('transcoding service', () => {
  it('tells what its ffmpeg can do', async () => {
    const found = await capabilitiesWith({});
    expect(found).toMatchObject({ ffmpeg: { path: 'ffmpeg' }, problem: null });
    expect(found.audioEncoders).toContain('flac');
  });

  it('runs without ffmpeg and says what is missing', async () => {
    const found = await capabilitiesWith({ FFMPEG_PATH: '/nowhere/ffmpeg' });
    expect(found).toMatchObject({ ffmpeg: null, audioEncoders: [] });
    expect(found.problem).toContain('/nowhere/ffmpeg cannot be used');
  });
});
