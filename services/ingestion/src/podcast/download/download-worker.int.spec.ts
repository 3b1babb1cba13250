import type { ServerResponse } from 'node:http';
import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AttemptFailed,
  checkedOutboundClient,
  createLogger,
  parseRanges,
  RetryLater,
  type JobDelivery,
  type OutboundClient,
} from '@continuo/chassis';
import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import {
  beginEpisodeDownload,
  failEpisodeDownload,
  recordEpisodeFile,
  type EpisodeFile,
  type PodcastEpisodeId,
  type PodcastId,
} from '@continuo/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTagPool } from '../../tags/tag-pool.adapter.js';
import type { TagReader } from '../../tags/tag-reader.js';
import { ffprobePath } from '../../../test/config.js';
import { EpisodeHost, type HostedFile } from '../../../test/episode-host.js';
import { makeMediaFile } from '../../../test/media-files.js';
import { makeVideo } from '../../../test/video-files.js';
import { FfprobeReader } from '../../video/ffprobe.adapter.js';
import { DownloadWorker } from './download-worker.js';
import type { DownloadReads, WantedEpisode } from './downloads.reads.js';

const OUTSIDE = '127.0.0.2';
const job = { podcastId: 3 as PodcastId, episodeId: 7 as PodcastEpisodeId, run: 2 };
const published = Date.UTC(2026, 2, 4);
let host: EpisodeHost;
let outbound: OutboundClient;
let reader: TagReader;
let samples: string;
let root: string;
let sound: Buffer;
/** State of the library in this spec. */
let standing: 'under-way' | 'kept' | 'unwanted';
let episode: WantedEpisode | undefined;
let said: { failed?: string; file?: EpisodeFile }[];
/** Lines of the log, with the level that the standalone has. */
let lines: string[];

beforeAll(async () => {
  host = await EpisodeHost.start(OUTSIDE);
  outbound = checkedOutboundClient({ allowed: parseRanges([OUTSIDE]) });
  reader = createTagPool({ threads: 1, inFlightPerThread: 2, parseTimeoutMs: 10_000, maxPictureBytes: 1000, maxPicturePixels: 1000 });
  samples = await mkdtemp(join(tmpdir(), 'continuo-samples-'));
  await makeMediaFile({ path: join(samples, 'a.mp3'), seconds: 2, args: ['-b:a', '64k'] });
  sound = await readFile(join(samples, 'a.mp3'));
});
afterAll(async () => {
  host.stop();
  await Promise.all([outbound.close(), reader.close(), rm(samples, { recursive: true })]);
});
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'continuo-talks-')));
  standing = 'under-way';
  said = [];
  lines = [];
  host.seen.length = 0;
  episode = {
    mediaUrl: host.url('/a.mp3'),
    publishedAtMs: published,
    addedAtMs: 5,
    run: 2,
    isOnItsWay: true,
    catalogPath: root,
    catalogType: 'local',
  };
  serve({});
});
afterEach(() => rm(root, { recursive: true, force: true }));

const serve = (file: Partial<HostedFile>): void => void host.files.set('/a.mp3', { bytes: sound, ...file });

const worker = (more: { keepFreeBytes?: number } = {}): DownloadWorker => {
  const commands = new InMemoryCommandClient();
  commands.handle(beginEpisodeDownload, async () => ({
    result: { isWanted: standing === 'under-way', isKept: standing === 'kept' },
    positions: [],
  }));
  commands.handle(failEpisodeDownload, async ({ data }) => {
    said.push({ failed: data.reason });
    return { result: { isWanted: standing === 'kept' }, positions: [] };
  });
  commands.handle(recordEpisodeFile, async ({ data }) => {
    said.push({ file: data.file });
    return { result: { isWanted: standing === 'under-way' }, positions: [] };
  });
  const reads = { episode: async () => episode } as unknown as DownloadReads;
  return new DownloadWorker({
    commands,
    reads,
    outbound,
    reader,
    videos: new FfprobeReader({ program: ffprobePath, atOnce: 1, timeoutMs: 10_000 }),
    watch: { waitFor: async () => true },
    log: createLogger('spec', 'warn', { write: (line: string) => void lines.push(line) }),
    limits: { maxBytes: 5_000_000, timeoutMs: 10_000, stallMs: 5000, keepFreeBytes: 0, ...more },
  });
};
const delivery = (attempt = 1, signal = new AbortController().signal): JobDelivery => ({
  actor: 'user:1',
  correlationId: 'c',
  causationId: 'spec',
  attempt,
  signal,
});
const byName = (a: string, b: string): number => (a < b ? -1 : 1);
const folder = (): string => join(root, 'podcast-3');
const names = async (): Promise<string[]> => [...(await readdir(folder()).catch(() => [] as string[]))].toSorted(byName);
const NAME = /^2026-03-04-7-2-[0-9a-f]{8}\.mp3$/;

describe('a download', () => {
  it('stores the file and records its properties', async () => {
    await worker().run(job, delivery());
    const [name] = await names();
    expect(await names()).toEqual([expect.stringMatching(NAME)]);
    const expected = {
      path: `podcast-3/${name}`,
      format: 'mp3',
      mime: 'audio/mpeg',
      sizeBytes: sound.length,
      sampleRateHz: 44_100,
      channels: 1,
    };
    expect(said).toEqual([{ file: expect.objectContaining(expected) }]);
    expect(said[0]?.file?.durationMs).toBeGreaterThan(1900);
    expect(sound.equals(await readFile(join(folder(), name ?? '')))).toBe(true);
  });

  it('detects the type by content, whatever feed and server declare', async () => {
    await makeMediaFile({ path: join(samples, 'b.opus'), seconds: 1 });
    serve({ bytes: await readFile(join(samples, 'b.opus')), type: 'application/octet-stream' });
    await worker().run(job, delivery());
    expect(said[0]?.file).toMatchObject({ format: 'opus', path: expect.stringMatching(/\.opus$/) });
  });

  it('downloads video episodes', async () => {
    await makeVideo({ path: join(samples, 'c.mp4') });
    serve({ bytes: await readFile(join(samples, 'c.mp4')), type: 'video/mp4' });
    await worker().run(job, delivery());
    expect(said[0]?.file).toMatchObject({ format: 'mp4', mime: 'video/mp4', path: expect.stringMatching(/\.mp4$/) });
  });

  it('resumes the partial file of another worker, although the feed has a new date', async () => {
    serve({ holdAfter: 5000, cutAfter: 5000 });
    const first = worker()
      .run(job, delivery())
      .catch((error: unknown) => error);
    await expect
      .poll(
        async () =>
          (await readFile(join(folder(), (await names()).find((name) => name.endsWith('.part')) ?? 'none')).catch(() => '')).length,
      )
      .toBe(5000);
    host.release();
    expect(await first).toBeInstanceOf(AttemptFailed);
    serve({});
    episode = { ...(episode as WantedEpisode), publishedAtMs: Date.UTC(2025, 0, 1) };
    await worker().run(job, delivery(2));
    expect(host.seen.map(({ range }) => range)).toEqual([undefined, 'bytes=5000-']);
    expect(await names()).toEqual([expect.stringMatching(/^2025-01-01-7-2-/)]);
  });

  it('does not fetch a complete file again after a crash before the report', async () => {
    await worker().run(job, delivery());
    await worker().run(job, delivery(2));
    expect([host.seen.length, said.length]).toEqual([1, 2]);
    expect(said[1]).toEqual(said[0]);
  });

  it('does not fetch a complete file again after a crash before the rename', async () => {
    await worker().run(job, delivery());
    const [name = ''] = await names();
    const part = `.${name.replace('2026-03-04-', '').replace('.mp3', '.part')}`;
    await rename(join(folder(), name), join(folder(), part));
    const note = { url: host.url('/a.mp3'), validator: null, totalBytes: sound.length, mime: 'audio/mpeg' };
    await writeFile(join(folder(), `${part}.json`), JSON.stringify(note));
    await worker().run(job, delivery(2));
    expect([host.seen.length, await names()]).toEqual([1, [name]]);
  });
});

describe('a file that another worker downloaded meanwhile', () => {
  /** Makes this worker late: the answer to its request waits until the file is there. */
  const late = async (answer: (response: ServerResponse) => void): Promise<void> => {
    await worker().run(job, delivery());
    const [name = ''] = await names();
    await rename(join(folder(), name), join(root, 'away'));
    const brought = Promise.withResolvers<void>();
    host.answers.set('/a.mp3', (_, response) => void brought.promise.then(() => answer(response)));
    const running = worker().run(job, delivery(2));
    await expect.poll(() => host.seen.length).toBe(2);
    await rename(join(root, 'away'), join(folder(), name));
    standing = 'kept';
    brought.resolve();
    await running;
    host.answers.clear();
    expect(await names()).toEqual([name]);
  };

  it('stays while this worker still downloads', async () => {
    await late((response) => {
      episode = { ...(episode as WantedEpisode), isOnItsWay: false };
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).write(sound.subarray(0, 1000));
    });
  });

  it('stays while this worker fails', async () => {
    await late((response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('no sound'));
  });
});

describe('no file is left', () => {
  it('of a cancelled download, before and after it completed', async () => {
    await worker().run(job, delivery());
    standing = 'kept';
    await worker().run(job, delivery(2));
    expect(await names()).toHaveLength(1);
    standing = 'unwanted';
    await worker().run(job, delivery(3));
    expect([await names(), host.seen.length]).toEqual([[], 1]);
  });

  it('of a download cancelled while it runs', async () => {
    serve({ holdAfter: 5000 });
    const running = worker().run(job, delivery());
    await expect.poll(async () => (await names()).length).toBe(2);
    standing = 'unwanted';
    episode = { ...(episode as WantedEpisode), isOnItsWay: false };
    await running;
    expect([await names(), said]).toEqual([[], []]);
  });

  it('of a download that completed too late', async () => {
    serve({ holdAfter: 5000 });
    const running = worker().run(job, delivery());
    await expect.poll(async () => (await names()).length).toBe(2);
    standing = 'unwanted';
    host.release();
    await running;
    expect([await names(), said.length]).toEqual([[], 1]);
  });

  it.each([
    ['a page that says it was sound', Buffer.from('<!doctype html><html><body>Sign in first</body></html>'), 'audio/mpeg'],
    ['a page', Buffer.from('<html></html>'), 'text/html'],
    ['noise', Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 31) % 97)), 'audio/mpeg'],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'application/octet-stream'],
  ])('of %s, and it is not asked for again', async (_what, bytes, type) => {
    serve({ bytes, type });
    await worker().run(job, delivery());
    expect([await names(), said]).toEqual([[], [{ failed: expect.stringMatching(/./) }]]);
  });

  it('of a file that its server does not have', async () => {
    host.files.delete('/a.mp3');
    await worker().run(job, delivery());
    expect([await names(), said]).toEqual([[], [{ failed: 'the server of the file answered 404' }]]);
    expect(lines).toEqual([expect.stringContaining('the server of the file answered 404')]);
  });

  it('of a download that keeps failing', async () => {
    host.answers.set('/a.mp3', (_, response) => response.writeHead(503).end());
    await expect(worker().run(job, delivery(7))).rejects.toBeInstanceOf(AttemptFailed);
    await worker().run(job, delivery(8));
    host.answers.clear();
    expect([await names(), said]).toEqual([[], [{ failed: 'the server of the file answered 503' }]]);
  });
});

describe('it waits', () => {
  it('for the library to show the episode', async () => {
    episode = undefined;
    await expect(worker().run(job, delivery())).rejects.toBeInstanceOf(RetryLater);
    expect(host.seen).toEqual([]);
  });

  it('for room, and leaves what there is to others', async () => {
    await expect(worker({ keepFreeBytes: Number.MAX_SAFE_INTEGER }).run(job, delivery())).rejects.toBeInstanceOf(AttemptFailed);
    expect(await names()).toEqual([]);
    await worker({ keepFreeBytes: Number.MAX_SAFE_INTEGER }).run(job, delivery(5));
    expect(said).toEqual([{ failed: 'there is no room for it on the disk of the catalog' }]);
  });

  it('for nothing when its podcast is deleted under its hands: that is no fault, and no folder is made again', async () => {
    serve({ holdAfter: 5000 });
    const running = worker().run(job, delivery());
    await expect.poll(async () => (await names()).length).toBe(2);
    standing = 'unwanted';
    await rm(folder(), { recursive: true });
    host.release();
    await running;
    expect([await readdir(root), said]).toEqual([[], []]);
    // The same between two steps of a download that has come already.
    standing = 'under-way';
    serve({});
    const late = worker();
    episode = { ...(episode as WantedEpisode), catalogPath: join(root, 'gone') };
    standing = 'unwanted';
    await late.run(job, delivery());
    expect([await readdir(root), said]).toEqual([[], []]);
  });

  it('for the disk of the catalog, whose folder it does not make', async () => {
    await rm(root, { recursive: true });
    await expect(worker().run(job, delivery())).rejects.toBeInstanceOf(AttemptFailed);
    await expect(readdir(root)).rejects.toThrow('ENOENT');
    await mkdir(root);
    await worker().run(job, delivery(2));
    expect(await names()).toHaveLength(1);
  });

  it('while somebody has put a link in the place of its folder', async () => {
    await mkdir(join(root, 'elsewhere'));
    await symlink(join(root, 'elsewhere'), folder());
    await expect(worker().run(job, delivery())).rejects.toBeInstanceOf(AttemptFailed);
    expect(await readdir(join(root, 'elsewhere'))).toEqual([]);
  });

  it('with what it has when its worker is called away', async () => {
    serve({ holdAfter: 5000 });
    const away = new AbortController();
    const running = worker()
      .run(job, delivery(1, away.signal))
      .catch((error: unknown) => error);
    await expect.poll(async () => (await names()).length).toBe(2);
    away.abort(new Error('draining'));
    expect(await running).toMatchObject({ message: 'draining' });
    expect([await names(), said]).toEqual([[expect.stringMatching(/\.part$/), expect.stringMatching(/\.part\.json$/)], []]);
  });
});
