import { startService, type StartedService } from '@continuo/chassis';
import { controlPlayer, readPlayer } from '@continuo/contracts';
import { locateMpd, testMpd, testNats, testPostgres, type TestMpd, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PlaybackConfig } from '../config.js';
import { playbackService } from '../playback.service.js';

const hasMpd = locateMpd() !== undefined;
const context = { actor: 'user:1', correlationId: 'spec', causationId: 'spec' };

it.skipIf(hasMpd)('is NOT tested over a service: there is no mpd on this machine ("apt-get install mpd", or MPD_BIN)', () => undefined);

describe.skipIf(!hasMpd)('two replicas of the playback service and one mpd', () => {
  let nats: TestNats;
  let postgres: TestPostgres;
  let mpd: TestMpd;
  const services: StartedService<PlaybackConfig>[] = [];
  const deps = () => {
    const [first] = services;
    if (!first) throw new Error('not started');
    return first.deps;
  };

  beforeAll(async () => {
    [nats, postgres, mpd] = await Promise.all([testNats(), testPostgres(), testMpd({ password: 'of the house' })]);
    const env = {
      DATABASE_URL: postgres.url,
      NATS_URL: nats.url,
      CONTINUO_SECRET: 'x'.repeat(32),
      LOG_LEVEL: 'error',
      MPD_PORT: String(mpd.port),
      MPD_PASSWORD: 'of the house',
    };
    for (let replica = 0; replica < 2; replica += 1) services.push(await startService(playbackService, env));
  });
  afterAll(async () => {
    for (const service of services) await service.stop();
    await Promise.all([nats.stop(), postgres.stop(), mpd.stop()]);
  });

  const items = Array.from({ length: 500 }, (_, n) => ({
    url: `http://127.0.0.1:9/${n}.flac`,
    title: `song ${n}`,
    artist: 'somebody',
    album: 'something',
  }));

  it('do what they are told, whichever is asked, and take the largest command', async () => {
    const add = { type: 'add', items, isInstead: false } as const;
    for (let time = 0; time < 4; time += 1) await deps().commands.send(controlPlayer, { backEnd: 'mpd', action: add }, context);
    const { result } = await deps().commands.send(readPlayer, { backEnd: 'mpd', offset: 999, limit: 1000 }, context);
    expect(result.status).toMatchObject({ state: 'stop', length: 2000, index: 0 });
    expect(result.entries).toHaveLength(1000);
    expect(result.entries[1]).toEqual(items[0]);
  });

  it.each(['file:///etc/passwd', 'smb://host/share', '/music/song.flac', 'http://'])(
    'queue nothing but what comes over HTTP: %s',
    async (url) => {
      const action = { type: 'add' as const, items: [{ url, title: '', artist: '', album: '' }], isInstead: false };
      await expect(deps().commands.send(controlPlayer, { backEnd: 'mpd', action }, context)).rejects.toMatchObject({
        code: 'input.invalid',
      });
    },
  );

  it('say that it does not answer', async () => {
    await mpd.stop();
    const ask = deps().commands.send(readPlayer, { backEnd: 'mpd', offset: 0, limit: 0 }, context);
    await expect(ask).rejects.toMatchObject({ code: 'player.unreachable' });
    mpd = await testMpd({ port: mpd.port, password: 'of the house' });
    expect((await deps().commands.send(readPlayer, { backEnd: 'mpd', offset: 0, limit: 0 }, context)).result.status.length).toBe(0);
  });
});
