import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { administrator } from './cluster.js';
import { allSongs, patience, type Installation, type Song } from './installation.js';

const keyed = { apiKey: administrator.apiKey, v: '1.16.1', c: 'containers' };
const COPIES = [1, 2, 3] as const;
/** A listener takes its bytes slower than they are made, so that they are under way for some seconds. */
const LISTENER_PAUSE_MS = 20;

/** Originals and transcodes; workers that come and go while somebody listens. @param installation answers what was installed, once tests run */
export const mediaJourneys = (installation: () => Installation): void => {
  describe('send media', () => {
    it('as originals and as transcodes, byte ranges included', async () => {
      const { client } = installation();
      const [song] = await allSongs(client);
      if (!song) throw new Error('there are no songs');
      const original = await client.stream(song.id, { format: 'raw' });
      expect([original.status, (await original.arrayBuffer()).byteLength > 1000]).toEqual([200, true]);
      const opus = await client.begin(song.id, { format: 'opus', maxBitRate: '64' });
      expect([opus.status, opus.headers.get('content-type')]).toEqual([200, 'audio/ogg']);
      const whole = Buffer.from(await opus.arrayBuffer());
      expect(whole.subarray(0, 4).toString()).toBe('OggS');
      const part = async (): Promise<unknown> => {
        const query = { ...keyed, id: song.id, format: 'opus', maxBitRate: '64' };
        const answer = await client.request('/rest/stream', query, { headers: { range: 'bytes=4-99' } });
        return [answer.status, Buffer.from(await answer.arrayBuffer()).equals(whole.subarray(4, 100))];
      };
      await expect.poll(part, patience).toEqual([206, true]);
      // The image's ffmpeg has the filters that it needs, and no others.
      const quieter = { ssid: client.session, oid: song.id.replace(/^so-/, ''), format: 'flac', gain: '-6' };
      const answer = await client.request('/play/index.php', quieter);
      expect([
        answer.status,
        Buffer.from(await answer.arrayBuffer())
          .subarray(0, 4)
          .toString(),
      ]).toEqual([200, 'fLaC']);
    });

    it('from three workers where there was one, and from one again without a stream that breaks', async () => {
      const { client, cluster } = installation();
      const songs = (await allSongs(client)).filter(({ title }) => title.startsWith('noise'));
      expect(songs).toHaveLength(8);
      const before = songs.slice(0, 2).map(async (song) => listen(installation(), song, '256').digest);
      await Promise.all([cluster.startService('transcoding', 2), cluster.startService('transcoding', 3)]);
      await Promise.all(before);
      const made = await Promise.all(
        [...songs, ...songs].map(({ id }, index) => client.take(id, { format: 'mp3', maxBitRate: String(96 + 8 * index) })),
      );
      expect(new Set(made)).toEqual(new Set([200]));
      const begun = await Promise.all(COPIES.map((copy) => cluster.counterOf('transcoding', 'continuo_transcodes_started_total', copy)));
      expect(begun.filter((count) => count > 0)).toHaveLength(COPIES.length);

      const listeners = songs.slice(0, 5).map((song) => listen(installation(), song, '320'));
      await Promise.all(listeners.map(async ({ hasBegun }) => hasBegun));
      const ends = await Promise.all([2, 3].map((copy) => cluster.stopService('transcoding', copy)));
      const heard = await Promise.all(listeners.map(async ({ digest }) => digest));
      const whole = await Promise.all(songs.slice(0, 5).map(({ id }) => digestOf(installation(), id, '320')));
      expect([ends, heard]).toEqual([[0, 0], whole]);
    });
  });
};

interface Listening {
  /** Resolves with the first bytes. */
  readonly hasBegun: Promise<void>;
  /** Resolves with a digest of all bytes. */
  readonly digest: Promise<string>;
}

/** Listens to a transcode to its end, without hurry. */
const listen = ({ client }: Installation, { id }: Song, maxBitRate: string): Listening => {
  const begin = Promise.withResolvers<void>();
  const digest = (async () => {
    const answer = await client.begin(id, { format: 'mp3', maxBitRate });
    if (answer.status !== 200 || !answer.body) throw new Error(`a transcode was answered with ${answer.status}`);
    const hash = createHash('sha256');
    for await (const chunk of answer.body) {
      begin.resolve();
      hash.update(chunk);
      await delay(LISTENER_PAUSE_MS);
    }
    return hash.digest('hex');
  })();
  digest.catch(begin.reject);
  return { hasBegun: begin.promise, digest };
};

const digestOf = async ({ client }: Installation, id: string, maxBitRate: string): Promise<string> => {
  const answer = await client.begin(id, { format: 'mp3', maxBitRate });
  return createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex');
};
