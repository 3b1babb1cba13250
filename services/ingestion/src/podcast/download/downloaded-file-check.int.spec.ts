import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@continuo/chassis';
import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { podcastEpisodeId, podcastId, removeEpisodeFiles } from '@continuo/contracts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { DownloadedEpisodeCursor, DownloadedEpisode } from './downloads.reads.js';
import { DownloadedFileCheck } from './downloaded-file-check.js';

let root: string;
let kept: DownloadedEpisode[];
let removed: unknown[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'continuo-kept-'));
  await mkdir(join(root, 'podcast-1'));
  removed = [];
  kept = [];
});
afterEach(() => rm(root, { recursive: true, force: true }));

const keep = (id: number, catalogPath = root): DownloadedEpisode => ({
  podcastId: podcastId.parse(1),
  episodeId: podcastEpisodeId.parse(id),
  catalogPath,
  path: `podcast-1/2026-01-01-${id}-1-abcdef01.mp3`,
  publishedAtMs: id,
});
const looking = (): DownloadedFileCheck => {
  const commands = new InMemoryCommandClient();
  commands.handle(removeEpisodeFiles, async ({ data }) => {
    removed.push(data);
    kept = kept.filter(({ episodeId }) => !data.episodeIds.includes(episodeId));
    return { result: { removed: 1 }, positions: [] };
  });
  const keptAfter = async (cursor: DownloadedEpisodeCursor | undefined, atMost: number) =>
    kept.filter(({ episodeId }) => episodeId > (cursor?.episodeId ?? 0)).slice(0, atMost);
  return new DownloadedFileCheck({ reads: { keptAfter }, commands, log: createLogger('spec', 'silent') });
};
const { signal } = new AbortController();

it('gives up the files that somebody took away, and those alone', async () => {
  kept = Array.from({ length: 450 }, (_, index) => keep(index + 1));
  for (const { episodeId, path } of kept) if (episodeId !== 7 && episodeId !== 300) await writeFile(join(root, path), 'x');
  const files = looking();
  for (let round = 0; round < 3; round += 1) await files.round(signal);
  expect(removed).toEqual([7, 300].map((id) => ({ podcastId: 1, episodeIds: [id], cause: 'missing' })));
  await files.round(signal);
  expect(removed).toHaveLength(2);
});

it('takes a disk that is not there for no loss', async () => {
  kept = [keep(1), keep(2, join(root, 'nowhere'))];
  await rm(join(root, 'podcast-1'), { recursive: true });
  await looking().round(signal);
  expect(removed).toEqual([]);
});
