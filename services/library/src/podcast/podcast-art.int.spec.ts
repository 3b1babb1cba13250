import { podcastId, recordPodcastArt } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RunningLibrary } from '../../test/running-library.js';

let library: RunningLibrary;
let { rows, send, verifyRebuild } = {} as RunningLibrary;

beforeAll(async () => {
  library = await RunningLibrary.start();
  ({ rows, send, verifyRebuild } = library);
});
afterAll(() => library.stop());

const picture = (letter: string) => ({ hash: letter.repeat(64), mime: 'image/png', sizeBytes: 10, widthPx: 3, heightPx: 3 });

it('keeps the last picture of each podcast, and says so again when it is built anew', async () => {
  const record = (id: number, letter: string): Promise<unknown> =>
    send(recordPodcastArt, { podcastId: podcastId.parse(id), imageUrl: `https://talks.example/${letter}.png`, art: picture(letter) });
  await record(1, 'a');
  await record(2, 'b');
  await record(1, 'c');
  await record(1, 'c');
  const found = await rows(
    sql`select podcast_id, image_url, left(art_hash, 1) as letter, art_mime from library.podcast_art order by podcast_id`,
  );
  expect(found).toEqual([
    { podcast_id: 1, image_url: 'https://talks.example/c.png', letter: 'c', art_mime: 'image/png' },
    { podcast_id: 2, image_url: 'https://talks.example/b.png', letter: 'b', art_mime: 'image/png' },
  ]);
  expect(await verifyRebuild('library-podcast-art')).toEqual([]);
});
