import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkedOutboundClient, parseRanges } from '@continuo/chassis';
import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { recordArtistInfo, recordFoundArt, Rejection, type FoundArtistInfo } from '@continuo/contracts';
import type { PluginHost } from '@continuo/plugins';
import { FakeService, startPlugins } from '@continuo/plugins/testkit';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LocalArtStore } from '@continuo/media-store';
import { ArtistInfo } from './artist-info.js';
import type { FactsSubjects } from './facts-subjects.reads.js';
import { FoundArt } from './found-art.js';
import { findLyricsOf } from './found-lyrics.js';

const ADA = '11111111-1111-4111-8111-111111111111';
/** A picture of one pixel. */
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const context = { actor: 'system', correlationId: 'spec', causationId: 'spec' } as const;

const outbound = checkedOutboundClient({ allowed: parseRanges(['127.0.0.0/8']) });
let folder: string;
let service: FakeService;
let commands: InMemoryCommandClient;
let asked: Awaited<ReturnType<FactsSubjects['artistAsked']>>;
let nowMs = 1_000_000_000_000;
const hosts: PluginHost[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'metadata-'));
});
afterAll(async () => {
  await outbound.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  service = await FakeService.start();
  asked = undefined;
  commands = new InMemoryCommandClient()
    .handle(recordArtistInfo, async () => ({ result: {}, positions: [] }))
    .handle(recordFoundArt, async () => ({ result: {}, positions: [] }));
});
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.stop()));
  await service.stop();
});

/** Plug-ins by name and the code of their parts. */
const pluginsOf = async (parts: Readonly<Record<string, string>>): Promise<PluginHost> => {
  const paths = await Promise.all(
    Object.entries(parts).map(async ([name, code]) => {
      const path = join(folder, `${name}.mjs`);
      const about = `apiVersion: 1, name: '${name}', title: '${name.toUpperCase()}', version: '1', sends: 'Names.'`;
      await writeFile(path, `export default { ${about}, start: () => (${code}) };`);
      return path;
    }),
  );
  const host = await startPlugins(paths);
  hosts.push(host);
  return host;
};

const subjects: FactsSubjects = {
  artist: async (id) => (id === 1 ? { name: 'Ada & the Engines' } : undefined),
  album: async () => ({ name: 'Difference', artist: 'Ada' }),
  song: async (id) => (id === 1 ? { title: 'Loom', artist: 'Ada' } : undefined),
  label: async () => undefined,
  artistAsked: async () => asked,
};
const artistInfo = (host: PluginHost, soonMs = 60_000): ArtistInfo =>
  new ArtistInfo({ plugins: async () => host, subjects, commands, now: () => nowMs, soonMs });
const recorded = (): (FoundArtistInfo & { artistId: number })[] =>
  commands.sent.filter(({ subject }) => subject === recordArtistInfo.subject).map(({ message }) => message.data as never);

describe('external metadata of an artist', () => {
  it('merges answers in order, and asks plug-ins that need an id with the id from another', async () => {
    const host = await pluginsOf({
      text: `{ metadata: { artist: async () => ({ summary: '<b>They</b> began.', attribution: 'us', url: 'https://text.example/ada', similar: [{ name: 'Mary', score: 0.5 }, { name: '' }, 'x'] }),
        topSongs: async ({ count }) => [{ title: 'Loom' }, { title: 7 }].slice(0, count) } }`,
      ids: `{ metadata: { artist: async () => ({ mbid: '${ADA}', summary: 'Other.', yearFormed: 1998, placeFormed: 'Bristol', url: 'javascript:alert(1)' }) } }`,
      byid: `{ metadata: { artist: async ({ mbid }) => (mbid ? { similar: [{ name: 'MARY', mbid: '22222222-2222-4222-8222-222222222222' }, { name: 'Charles' }] } : undefined) } }`,
    });
    const { result } = await artistInfo(host).refresh(1, true, context);
    expect(result).toEqual({ isEnabled: true, isKnown: true });
    expect(recorded()).toEqual([
      {
        artistId: 1,
        mbid: ADA,
        summary: 'They began.',
        attribution: 'us',
        placeFormed: 'Bristol',
        yearFormed: 1998,
        url: 'https://text.example/ada',
        similar: [
          { name: 'Mary', mbid: '22222222-2222-4222-8222-222222222222', score: 0.5 },
          { name: 'Charles', mbid: null, score: null },
        ],
        topSongs: [{ title: 'Loom', mbid: null }],
        isComplete: true,
        sources: ['text', 'ids', 'byid'],
      },
    ]);
  });

  it('is requested once for parallel callers, and not again before it expires unless forced', async () => {
    const host = await pluginsOf({ text: `{ metadata: { artist: async () => ({ summary: 's' }) } }` });
    const info = artistInfo(host);
    await Promise.all([1, 2, 3].map(() => info.refresh(1, false, context)));
    await info.refresh(1, false, context);
    expect(recorded()).toHaveLength(1);
    await info.refresh(1, true, context);
    expect(recorded()).toHaveLength(2);
    asked = { atMs: nowMs, isComplete: true };
    nowMs += 29 * 86_400_000;
    await info.refresh(1, false, context);
    expect(recorded()).toHaveLength(2);
    nowMs += 2 * 86_400_000;
    await info.refresh(1, false, context);
    expect(recorded()).toHaveLength(3);
  });

  it('keeps the stored answer when a service is unavailable, and is incomplete when there was none', async () => {
    const host = await pluginsOf({
      away: `{ metadata: { artist: async () => { throw new Error('away'); } } }`,
      text: `{ metadata: { artist: async () => ({ summary: 's' }) } }`,
    });
    asked = { atMs: 1, isComplete: true };
    await artistInfo(host).refresh(1, true, context);
    expect(recorded()).toEqual([]);
    asked = undefined;
    await artistInfo(host).refresh(1, true, context);
    expect(recorded()).toMatchObject([{ summary: 's', isComplete: false, sources: ['text'] }]);
  });

  it('is recorded without slow plug-ins, and again with their answers', async () => {
    const host = await pluginsOf({
      slow: `{ metadata: { artist: async ({ name }) => { while (!(await import('node:fs')).existsSync('${join(folder, 'go-on')}')) await new Promise((done) => setTimeout(done, 20)); return { placeFormed: 'Bristol' }; } } }`,
      text: `{ metadata: { artist: async () => ({ summary: 's' }) } }`,
    });
    const asking = artistInfo(host, 100).refresh(1, false, context);
    await expect
      .poll(recorded, { timeout: 15_000 })
      .toMatchObject([{ summary: 's', placeFormed: null, isComplete: false, sources: ['text'] }]);
    await writeFile(join(folder, 'go-on'), '');
    expect((await asking).result).toEqual({ isEnabled: true, isKnown: true });
    expect(recorded().slice(1)).toMatchObject([{ summary: 's', placeFormed: 'Bristol', isComplete: true, sources: ['slow', 'text'] }]);
  });

  it('is incomplete, and requested again, when top songs fail', async () => {
    const host = await pluginsOf({
      text: `{ metadata: { artist: async () => ({ summary: 's' }), topSongs: async () => { throw new Error('away'); } } }`,
    });
    await artistInfo(host).refresh(1, true, context);
    expect(recorded()).toMatchObject([{ summary: 's', topSongs: [], isComplete: false }]);
  });

  it('completes a partial answer although another service is unavailable now', async () => {
    const host = await pluginsOf({
      away: `{ metadata: { artist: async () => { throw new Error('away'); } } }`,
      place: `{ metadata: { artist: async () => ({ placeFormed: 'Bristol', similar: [{ name: 'Mary' }] }) } }`,
    });
    const info = {
      mbid: ADA,
      summary: 's',
      attribution: 'us',
      placeFormed: null,
      yearFormed: 1998,
      url: null,
      topSongs: [{ title: 'Loom', mbid: null }],
    };
    asked = { atMs: 1, isComplete: false, info: { ...info, similar: [{ name: 'Charles', mbid: null, score: null }] } };
    await artistInfo(host).refresh(1, true, context);
    expect(recorded()).toMatchObject([
      { ...info, placeFormed: 'Bristol', similar: [{ name: 'Mary' }, { name: 'Charles' }], isComplete: false },
    ]);
  });

  it('is empty and not recorded when all services are unavailable', async () => {
    const host = await pluginsOf({ away: `{ metadata: { artist: async () => { throw new Error('away'); } } }` });
    expect((await artistInfo(host).refresh(1, true, context)).result).toEqual({ isEnabled: true, isKnown: false });
    expect(recorded()).toEqual([]);
  });

  it('is recorded as empty when no service knows the artist', async () => {
    const host = await pluginsOf({ silent: `{ metadata: { artist: async () => undefined } }` });
    expect((await artistInfo(host).refresh(1, true, context)).result).toEqual({ isEnabled: true, isKnown: false });
    expect(recorded()).toMatchObject([{ summary: null, similar: [], isComplete: true, sources: [] }]);
  });

  it('is refused without plug-ins, and for an unknown artist', async () => {
    expect((await artistInfo(await pluginsOf({})).refresh(1, true, context)).result).toEqual({ isEnabled: false, isKnown: false });
    const host = await pluginsOf({ text: `{ metadata: { artist: async () => ({ summary: 's' }) } }` });
    await expect(artistInfo(host).refresh(2, true, context)).rejects.toBeInstanceOf(Rejection);
  });
});

describe('pictures from plug-ins', () => {
  const art = (host: PluginHost): FoundArt =>
    new FoundArt({
      plugins: async () => host,
      subjects,
      outbound,
      store: new LocalArtStore(join(folder, 'art')),
      commands,
      limits: { maxBytes: 1000, maxPixels: 100 },
      log: pino({ level: 'silent' }),
    });
  const part = (paths: readonly string[]): string =>
    `{ art: { album: async () => ${JSON.stringify(paths.map((path) => ({ url: service.url + path })))} } }`;

  it('stores the first usable picture', async () => {
    service.answer = (path) => {
      if (path === '/gone') return { status: 404 };
      return path === '/text' ? { text: 'no picture' } : { bytes: PIXEL };
    };
    const host = await pluginsOf({ none: '{ art: { album: async () => undefined } }', some: part(['/gone', '/text', '/picture']) });
    expect((await art(host).find({ kind: 'album', id: 3 }, context)).result).toEqual({ isEnabled: true, isFound: true });
    const [sent] = commands.sent;
    expect(sent?.message.data).toMatchObject({
      of: { albumId: 3 },
      art: { mime: 'image/png', sizeBytes: PIXEL.length, widthPx: 1 },
      source: 'some',
    });
    const data = sent?.message.data as { art: { hash: string } } | undefined;
    expect(await new LocalArtStore(join(folder, 'art')).stat(data?.art.hash ?? '')).toMatchObject({ sizeBytes: PIXEL.length });
  });

  it.each([
    ['too large', { bytes: Buffer.concat([PIXEL, Buffer.alloc(2000)]) }],
    ['no picture', { text: '<svg onload="alert(1)"/>' }],
  ])('that are %s are left alone', async (_, answer) => {
    service.answer = () => answer;
    const host = await pluginsOf({ some: part(['/a']) });
    expect((await art(host).find({ kind: 'album', id: 3 }, context)).result).toEqual({ isEnabled: true, isFound: false });
    expect(commands.sent).toEqual([]);
  });

  it('are fetched from web addresses only', async () => {
    const host = await pluginsOf({
      some: `{ art: { album: async () => [{ url: 'file:///etc/passwd' }, { url: 7 }, null, { url: 'http://ada:secret@127.0.0.1/' }] } }`,
    });
    expect((await art(host).find({ kind: 'album', id: 3 }, context)).result).toEqual({ isEnabled: true, isFound: false });
    expect((await art(host).find({ kind: 'artist', id: 1 }, context)).result).toEqual({ isEnabled: false, isFound: false });
  });
});

describe('lyrics from plug-ins', () => {
  it('are parsed like lyrics of files', async () => {
    const host = await pluginsOf({
      one: `{ lyrics: { find: async () => ({ plain: 'over\\nunder', synced: '[00:01.00] over\\n[00:02.50] under' }) } }`,
      two: `{ lyrics: { find: async () => ({ instrumental: true }) } }`,
      odd: `{ lyrics: { find: async () => 'words' } }`,
    });
    const found = await findLyricsOf(host, subjects, 1);
    expect(found).toMatchObject([
      {
        plugin: 'one',
        title: 'ONE',
        texts: [
          { synced: false, lines: [{ text: 'over' }, { text: 'under' }] },
          {
            synced: true,
            lines: [
              { startMs: 1000, text: 'over' },
              { startMs: 2500, text: 'under' },
            ],
          },
        ],
      },
    ]);
    expect(found).toHaveLength(1);
    expect(await findLyricsOf(host, subjects, 2)).toEqual([]);
  });
});
