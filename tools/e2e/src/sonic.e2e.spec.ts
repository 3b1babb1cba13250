import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runCli } from '@continuo/continuo-cli/testkit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { administrator, Journey } from './journey.js';

const run = promisify(execFile);
const PATIENCE = { timeout: 60_000, interval: 200 };
/** Two of each kind, by the letter. */
const SOUNDS: Readonly<Record<string, string>> = {
  'a one': "aevalsrc='0.4*sin(2*PI*220*t)*(0.6+0.4*sin(2*PI*5*t))':s=22050:d=15",
  'a two': "aevalsrc='0.3*sin(2*PI*233*t)*(0.6+0.4*sin(2*PI*5.2*t))':s=22050:d=15",
  'b one': 'anoisesrc=c=pink:r=22050:d=15:seed=7:a=0.4',
  'b two': 'anoisesrc=c=pink:r=22050:d=15:seed=8:a=0.2',
  'c one': "aevalsrc='0.8*sin(2*PI*1500*t)*exp(-30*mod(t\\,0.5))':s=22050:d=15",
  'c two': "aevalsrc='0.7*sin(2*PI*1650*t)*exp(-28*mod(t\\,0.5))':s=22050:d=15",
};

interface Answer {
  readonly 'subsonic-response': {
    readonly error?: { readonly code: number };
    readonly openSubsonicExtensions?: readonly { readonly name: string }[];
    readonly sonicMatch?: readonly { readonly similarity: number; readonly entry: { readonly id: string; readonly title: string } }[];
    readonly searchResult3?: { readonly song: readonly { readonly id: string; readonly title: string }[] };
  };
}

let journey: Journey;
const cli = (...args: string[]) => runCli({ CONTINUO_DATA: join(journey.folder, 'data') }, ...args);
const sonic = (...args: string[]) => cli('sonic', ...args);
const ask = async (operation: string, params: Record<string, string> = {}): Promise<Answer['subsonic-response']> => {
  const query = { apiKey: administrator.apiKey, c: 'player', v: '1.16.1', f: 'json', ...params };
  return (await journey.json<Answer>(`/rest/${operation}`, query))['subsonic-response'];
};
const extensions = async (): Promise<string[]> =>
  ((await ask('getOpenSubsonicExtensions')).openSubsonicExtensions ?? []).map(({ name }) => name);
/** Searches a title until the search index has it. */
const idOf = (title: string): Promise<string> =>
  vi.waitFor(async () => {
    const { searchResult3 } = await ask('search3', { query: title });
    const found = searchResult3?.song.find((song) => song.title === title);
    if (!found) throw new Error(`${title} is not found`);
    return found.id;
  }, PATIENCE);
const titles = async (operation: string, params: Record<string, string>): Promise<string[]> =>
  ((await ask(operation, params)).sonicMatch ?? []).map(({ entry }) => entry.title);

beforeAll(async () => {
  journey = await Journey.prepare();
  await mkdir(journey.music, { recursive: true });
  for (const [title, source] of Object.entries(SOUNDS)) {
    const made = ['-f', 'lavfi', '-i', source, '-metadata', `title=${title}`, '-metadata', 'artist=Nobody'];
    await run('ffmpeg', ['-nostdin', '-loglevel', 'error', ...made, join(journey.music, `${title}.flac`)]);
  }
  await journey.start({ PLUGINS: 'sonic', SONIC_LOOK_MINUTES: '0' });
  await journey.scan();
}, 180_000);
afterAll(() => journey.end());

describe('what songs sound like', () => {
  it('is found out when an operator wants it, and answered to players', async () => {
    expect(await extensions()).toContain('sonicSimilarity');
    const song = await idOf('a one');
    expect((await ask('getSonicSimilarTracks', { id: song })).sonicMatch).toEqual([]);
    const analysed = await sonic('analyse');
    expect(analysed).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^finished after .* 6 analysed\.$/) as unknown });
    // Sounds come into the memory of those who compare them by and by.
    await vi.waitFor(async () => expect((await sonic('status')).out).toContain('6 of 6 songs analysed; 6 in memory'), PATIENCE);
    expect((await titles('getSonicSimilarTracks', { id: song, count: '9' }))[0]).toBe('a two');
    for (const kind of ['a', 'b', 'c'])
      expect((await titles('getSonicSimilarTracks', { id: await idOf(`${kind} two`) }))[0]).toBe(`${kind} one`);
    const ends = { startSongId: song, endSongId: await idOf('c two'), count: '4' };
    const way = await titles('findSonicPath', ends);
    expect([way.length, way[0], way.at(-1)]).toEqual([4, 'a one', 'c two']);
    expect((await sonic('analyse')).out).toContain('0 analysed, 6 known already');
    expect(await sonic('cancel')).toMatchObject({ exitCode: 1, err: expect.stringContaining('no run goes on') as unknown });
  });

  it('comes back the same from the log', async () => {
    for (const projection of ['sonic-songs', 'sonic-runs']) {
      const verified = await cli('projections', 'rebuild', projection, '--verify');
      expect({ projection, exitCode: verified.exitCode }).toEqual({ projection, exitCode: 0 });
    }
  });

  it('is nothing to a server without a plug-in', async () => {
    const song = await idOf('a one');
    await journey.stop();
    await journey.start();
    await vi.waitFor(async () => expect(await extensions()).not.toContain('sonicSimilarity'), PATIENCE);
    expect((await ask('getSonicSimilarTracks', { id: song })).error?.code).toBe(30);
    expect(await sonic('status')).toMatchObject({ exitCode: 1, out: expect.stringContaining('Nothing compares sounds') as unknown });
    expect(await sonic('analyse')).toMatchObject({ exitCode: 1, err: expect.stringContaining('no sonic plug-in') as unknown });
  });
});
