import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeRelays, linkPluginRelay, unlinkRelay } from '@continuo/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { relayPeople } from '../../../test/relay/relay-people.js';
import { RunningRelay } from '../../../test/relay/running-relay.js';

const WAIT = { timeout: 20_000, interval: 25 };
let relay: RunningRelay;
let folder: string;
const { record, outcomes, linkOf } = relayPeople(() => relay);

/** A service that is a file: each line is a play that was taken. What it does stands in the secret. */
const diary = `
import { appendFile } from 'node:fs/promises';
export default {
  apiVersion: 1, name: 'diary', title: 'My diary', version: '1', sends: 'What is played.',
  settings: { file: { about: 'Where it is', required: true } },
  start: ({ settings }) => ({
    scrobbler: {
      check: async ({ secret }) => (secret === 'unknown' ? { valid: false } : { valid: true, name: 'me in ' + secret }),
      scrobble: async ({ secret, plays }) => {
        if (secret === 'ends') return { outcome: 'unlinked', reason: 'the diary is full' };
        if (secret === 'picky' && plays.some(({ title }) => title === 'Noise')) return { outcome: 'unwanted', reason: 'no noise' };
        if (secret === 'breaks') throw new Error('out of ink');
        await appendFile(settings.file, plays.map(({ title, artist, playedAtMs }) => secret + ' ' + artist + ': ' + title + ' ' + playedAtMs + '\\n').join(''));
        return { outcome: 'taken' };
      },
    },
  }),
};`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diary-'));
  const path = join(folder, 'diary.mjs');
  await writeFile(path, diary);
  await writeFile(join(folder, 'pages'), '');
  const settings = { diary: { file: join(folder, 'pages') } };
  relay = await RunningRelay.start({ environment: { LOG_LEVEL: 'fatal', PLUGINS: path, PLUGIN_SETTINGS: JSON.stringify(settings) } });
});
afterAll(async () => {
  await relay.stop();
  await rm(folder, { recursive: true });
});
beforeEach(() => writeFile(join(folder, 'pages'), ''));

const pages = (): Promise<string> => readFile(join(folder, 'pages'), 'utf8');
const linked = async (secret: string) => {
  const user = await relay.account();
  expect(await relay.send(linkPluginRelay, { userId: user, plugin: 'diary', secret })).toEqual({ name: `me in ${secret}` });
  return user;
};

describe('a plug-in that is told of plays', () => {
  it('is offered, linked, told, and left again', async () => {
    const user = await relay.account();
    const { offers } = await relay.send(describeRelays, { userId: user });
    expect(offers).toContainEqual({ service: 'plugin', host: 'diary', ownAddress: false, title: 'My diary' });
    await relay.send(linkPluginRelay, { userId: user, plugin: 'diary', secret: 'book' });
    const at = Date.now();
    const [one, two] = [await relay.song('Loom'), await relay.song('Card')];
    await record(user, [one, at], [two, at + 1000]);
    await vi.waitFor(
      async () => expect(await pages()).toBe(`book Ada feat. Charles: Loom ${at}\nbook Ada feat. Charles: Card ${at + 1000}\n`),
      WAIT,
    );
    await vi.waitFor(
      async () => expect(await linkOf(user, 'plugin')).toMatchObject({ host: 'diary', name: 'me in book', state: 'on', taken: 2 }),
      WAIT,
    );
    await relay.send(unlinkRelay, { userId: user, service: 'plugin' });
    await record(user, [one, at + 2000]);
    expect(await linkOf(user, 'plugin')).toBeUndefined();
  });

  it('does not take what it does not know', async () => {
    const user = await relay.account();
    for (const [plugin, secret] of [
      ['diary', 'unknown'],
      ['other', 'book'],
    ] as const)
      await expect(relay.send(linkPluginRelay, { userId: user, plugin, secret })).rejects.toMatchObject({ code: 'input.invalid' });
    expect(await linkOf(user, 'plugin')).toBeUndefined();
  });

  it('may end a link, and refuse a play without holding up the others', async () => {
    const [ended, picky] = [await linked('ends'), await linked('picky')];
    const [noise, loom] = [await relay.song('Noise'), await relay.song('Loom')];
    await record(ended, [loom, Date.now()]);
    await vi.waitFor(async () => expect(await linkOf(ended, 'plugin')).toMatchObject({ state: 'refused' }), WAIT);
    await record(picky, [noise, Date.now()]);
    await record(picky, [loom, Date.now() + 1000]);
    await vi.waitFor(async () => expect(await pages()).toMatch(/^picky Ada feat\. Charles: Loom \d+\n$/), WAIT);
    expect(await outcomes(picky, 'plugin')).toContainEqual([noise, 'dead', 'no noise']);
  });

  it('that breaks is tried again and holds up nobody else', async () => {
    const [breaking, other] = [await linked('breaks'), await linked('book')];
    await record(breaking, [await relay.song('Loom'), Date.now()]);
    await vi.waitFor(
      async () => expect(await linkOf(breaking, 'plugin')).toMatchObject({ fault: expect.stringContaining('out of ink') }),
      WAIT,
    );
    await record(other, [await relay.song('Card'), Date.now()]);
    await vi.waitFor(async () => expect(await pages()).toContain('book Ada feat. Charles: Card'), { ...WAIT, timeout: 60_000 });
  });
});
