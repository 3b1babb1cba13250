import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { testMeilisearch, type TestMeilisearch } from '@continuo/local-servers/meilisearch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administrator, Journey } from './journey.js';

const WAIT = { timeout: 60_000, interval: 200 };

interface Found {
  readonly song?: readonly { readonly title: string }[];
  readonly artist?: readonly { readonly name: string }[];
}

let journey: Journey;
let meilisearch: TestMeilisearch;

const search = async (query: string): Promise<Found> => {
  const login = { apiKey: administrator.apiKey, v: '1.16.1', c: 'e2e', f: 'json' };
  const answer = await journey.json<{ 'subsonic-response': { searchResult3: Found } }>('/rest/search3.view', { ...login, query });
  return answer['subsonic-response'].searchResult3;
};
const titles = async (query: string): Promise<readonly string[]> => ((await search(query)).song ?? []).map(({ title }) => title);
const answeredBy = async (index: string): Promise<number> => {
  const metrics = await journey.metrics();
  return Number(new RegExp(`^continuo_search_seconds_count\\{[^}]*index="${index}"[^}]*\\} (\\d+)$`, 'm').exec(metrics)?.[1] ?? 0);
};
/** Searches until Meilisearch is who answers: it is not asked for a while after it had no answer. */
const untilMeilisearchFinds = async (text: string, title: string): Promise<void> => {
  const before = await answeredBy('meilisearch');
  await expect
    .poll(async () => {
      expect(await titles(text)).toEqual([title]);
      return answeredBy('meilisearch');
    }, WAIT)
    .toBeGreaterThan(before);
};
const song = async (path: string, title: string, artist: string): Promise<void> => {
  const file = join(journey.music, path);
  await mkdir(dirname(file), { recursive: true });
  const tags = ['-metadata', `title=${title}`, '-metadata', `artist=${artist}`, '-metadata', `album=${artist} Live`];
  await promisify(execFile)('ffmpeg', ['-loglevel', 'error', '-f', 'lavfi', '-i', 'sine=duration=1', ...tags, file]);
};

beforeAll(async () => {
  [journey, meilisearch] = await Promise.all([Journey.prepare(), testMeilisearch()]);
  await song('a/1.mp3', 'Hells Bells', 'AC/DC');
  await song('a/2.mp3', 'Jóga', 'Björk');
  await song('b/1.mp3', 'Группа крови', 'Кино');
  await journey.start({ MEILI_URL: meilisearch.url, MEILI_KEY: meilisearch.key, SEARCH_INDEX_UPKEEP_MS: '300', LOG_LEVEL: 'silent' });
});
afterAll(async () => {
  await journey.end();
  await meilisearch.stop();
});

describe('searching by words with Meilisearch', () => {
  it('finds what a scan has found, as people type it', async () => {
    await journey.scan();
    await expect.poll(() => titles('hels bels'), WAIT).toEqual(['Hells Bells']);
    expect(await titles('joga')).toEqual(['Jóga']);
    expect(await titles('группа кр')).toEqual(['Группа крови']);
    await expect.poll(async () => (await search('acdc')).artist?.map(({ name }) => name), WAIT).toEqual(['AC/DC']);
    await expect.poll(() => meilisearch.documentsIn('continuo_song'), WAIT).toBe(3);
    await untilMeilisearchFinds('joga', 'Jóga');
  });

  it('goes on when Meilisearch dies, with what is new meanwhile, and goes back to it', async () => {
    await meilisearch.down();
    expect(await titles('joga')).toEqual(['Jóga']);
    expect(await answeredBy('postgres')).toBeGreaterThan(0);
    await song('c/1.mp3', 'Fresh Tune', 'Newcomer');
    await journey.scan();
    await expect.poll(() => titles('fresh tune'), WAIT).toEqual(['Fresh Tune']);
    await meilisearch.up();
    await expect.poll(() => meilisearch.documentsIn('continuo_song'), WAIT).toBe(4);
    await untilMeilisearchFinds('fresh tune', 'Fresh Tune');
  });

  it('fills a Meilisearch that has lost everything, without being told', async () => {
    await meilisearch.loseEverything();
    expect(await titles('fresh tune')).toEqual(['Fresh Tune']);
    await expect.poll(() => meilisearch.documentsIn('continuo_song'), WAIT).toBe(4);
  });
});
