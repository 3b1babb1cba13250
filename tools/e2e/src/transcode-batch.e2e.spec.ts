import { join } from 'node:path';
import { runCli } from '@continuo/continuo-cli/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateFiles } from '@continuo/media-fixtures';
import { administrator, Journey } from './journey.js';

let journey: Journey;
const FILES = 6;

const stream = (id: number, range?: string): Promise<Response> => {
  const query = { apiKey: administrator.apiKey, c: 'player', v: '1.16.1', id: `so-${id}`, format: 'opus', maxBitRate: '64' };
  return journey.request('/rest/stream', query, range === undefined ? {} : { headers: { range } });
};
const transcode = (...args: string[]) => runCli({ CONTINUO_DATA: join(journey.folder, 'data') }, 'transcode', ...args);

beforeAll(async () => {
  journey = await Journey.prepare();
  await generateFiles({ out: journey.music, count: FILES, formats: ['mp3', 'flac'], seed: 3, flat: false });
  await journey.start();
  await journey.scan();
}, 120_000);
afterAll(() => journey.end());

describe('media that an operator has made ahead', () => {
  it('are in the cache when a player asks for them', async () => {
    const made = await transcode('make', 'song', '1', '--to', 'opus', '--kbps', '64');
    expect(made).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/to opus 64 kbit\/s: finished, .* 1 of 1 file, 1 made\.$/) as unknown,
    });
    const part = await stream(1, 'bytes=0-99');
    expect([part.status, part.headers.get('content-type'), part.headers.get('content-range')]).toEqual([
      206,
      'audio/ogg',
      expect.stringMatching(/^bytes 0-99\/\d+$/),
    ]);
    expect((await part.arrayBuffer()).byteLength).toBe(100);
  });

  it('are named by what they stand in, and reported', async () => {
    const artist = await transcode('make', 'artist', '1', '--to', 'mp3', '--kbps', '64');
    expect(artist.exitCode).toBe(0);
    const list = await transcode('list');
    expect(list.out.split('\n')).toHaveLength(3);
    const [batch = ''] = /[0-9a-f]{32}/.exec(list.out) ?? [];
    expect((await transcode('show', batch)).out).toContain('finished');
    expect((await transcode('cancel', batch)).out).toMatch(/is finished already\.$/);
  });

  it.each([
    [['make', 'song', '999', '--to', 'opus'], 'there is no song "999"'],
    [['make', 'song', '1', '--to', 'opus', '--kbps', '5'], '--kbps cannot be used'],
    [['make', 'album', 'no such album', '--to', 'mp3'], 'there is no album'],
    [['show', 'nothing'], 'there is no batch "nothing"'],
  ])('are refused with a reason: %j', async (args, reason) => {
    const answer = await transcode(...args);
    expect(answer).toMatchObject({ exitCode: 1, err: expect.stringContaining(reason) as unknown });
  });
});
