import { askEverybody, startService } from '@continuo/chassis';
import { TRANSCODE_WORKERS_SUBJECT, transcodeWorkersQuery } from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { transcodingService } from './transcoding.service.js';

let nats: TestNats;
let postgres: TestPostgres;
beforeAll(async () => {
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
});
afterAll(() => Promise.all([nats.stop(), postgres.stop()]));

/** Starts the service over an ffmpeg and answers how its worker describes itself. */
const workersWith = async (ffmpeg: Record<string, string>) => {
  const env = { DATABASE_URL: postgres.url, NATS_URL: nats.url, CONTINUO_SECRET: 'x'.repeat(32), LOG_LEVEL: 'silent', ...ffmpeg };
  const service = await startService(transcodingService, env);
  try {
    await vi.waitFor(() => expect(service.readiness().ready).toBe(true), 20_000);
    return await askEverybody(service.deps.nats, transcodeWorkersQuery, {}, { subject: TRANSCODE_WORKERS_SUBJECT });
  } finally {
    await service.stop();
  }
};

describe('transcoding service', () => {
  it('tells what its ffmpeg can do', async () => {
    const [found] = await workersWith({});
    expect(found).toMatchObject({ ffmpegVersion: expect.stringMatching(/^\d/), problem: null });
    expect(found?.audioEncoders).toContain('flac');
  });

  it('runs without ffmpeg and says what is missing', async () => {
    const [found] = await workersWith({ FFMPEG_PATH: '/nowhere/ffmpeg' });
    expect(found).toMatchObject({ ffmpegVersion: null, audioEncoders: [] });
    expect(found?.problem).toContain('/nowhere/ffmpeg cannot be used');
  });
});
