import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { sql } from 'kysely';
import { equal, noneOf, type Finding } from '../checks/finding.js';
import { checkDeadLetters, checkRebuild } from '../checks/rebuild.js';
import type { Links } from '../cluster/cluster.js';
import { readLog } from '../log/read-log.js';
import { digestOf } from './episode-server.js';

/** The projection of podcasts, and its stream. */
export const PODCASTS = { projection: 'library-podcasts', stream: 'EV_LIBRARY' } as const;

interface Kept {
  readonly title: string;
  readonly state: string;
  readonly path: string | null;
  readonly error: string | null;
}

/** Each wanted file arrived once by the log's own account. */
const checkLog = async ({ nats }: Links, wanted: number): Promise<Finding[]> => {
  const arrived = new Map<string, number>();
  for await (const { type, data } of readLog(nats, PODCASTS.stream)) {
    if (type !== 'PodcastEpisodeDownloaded') continue;
    const key = `${String(data['episodeId'])}.${String(data['run'])}`;
    arrived.set(key, (arrived.get(key) ?? 0) + 1);
  }
  return [
    equal('files that were asked for = files that arrived', arrived.size, wanted),
    noneOf(
      'files that arrived twice',
      [...arrived].filter(([, times]) => times > 1).map(([key]) => key),
    ),
  ];
};

/** Checks that the catalog's files are those of the tables, and equal to the publisher's byte for byte. */
const checkDisk = async (kept: readonly Kept[], folder: string, shows: readonly Buffer[]): Promise<Finding[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const known = new Set(kept.map(({ path }) => path));
  const digests = shows.map(digestOf);
  const damaged: string[] = [];
  for (const { title, path } of kept) {
    const bytes = path === null ? undefined : await readFile(join(folder, path)).catch(() => undefined);
    if (!bytes || digestOf(bytes) !== digests[Number(title) - 1]) damaged.push(`${title} at ${path ?? 'nowhere'}`);
  }
  return [
    noneOf('files that differ from what was published', damaged, `none of ${kept.length}`),
    noneOf(
      'files left over',
      files.filter((path) => !known.has(path)),
    ),
  ];
};

/** Everything that must hold of downloads whatever happened to them. */
export const checkDownloads = async (links: Links, wanted: number, folder: string, shows: readonly Buffer[]): Promise<Finding[]> => {
  const { rows } = await sql<Kept>`select title, state, path, download_error as error from library.podcast_episode`.execute(links.db);
  return [
    noneOf(
      'episodes whose file is not here',
      rows.filter(({ state }) => state !== 'completed').map(({ title, state, error }) => `${title} is ${state} ${error ?? ''}`),
      `none of ${rows.length}`,
    ),
    ...(await checkLog(links, wanted)),
    ...(await checkDisk(rows, folder, shows)),
    await checkDeadLetters(links.nats),
    await checkRebuild(links.nats, PODCASTS.projection),
  ];
};
