import { createHash } from 'node:crypto';
import { mkdir, readdir, realpath, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PodcastEpisodeId, PodcastId } from '@continuo/contracts';
import { errorCode } from '../../walk/list-folder.js';
import { DownloadFault } from './download-fault.js';

/** One download, and what its names are made of: nothing that a feed may change on the way, but for the date. */
export interface EpisodeDownload {
  readonly podcastId: PodcastId;
  readonly episodeId: PodcastEpisodeId;
  readonly run: number;
  /** When the episode became known, epoch ms. */
  readonly addedAtMs: number;
  /** Epoch ms; for people who look into the folder. */
  readonly publishedAtMs: number;
}

/** Where a download goes. Names are this server's own: nothing of a feed is in them. */
export interface EpisodePath {
  /** Absolute. */
  readonly folder: string;
  /** Relative to the catalog's root. */
  readonly folderName: string;
  /** Of the finished file, without suffix: the date, then {@link EpisodePath.key}. */
  readonly baseName: string;
  /** Unique key of this download's files. */
  readonly key: string;
  /** Absolute path of what has arrived so far; hidden, so that no walk meets it. */
  readonly part: string;
  /** Absolute path of what is remembered of where that came from. */
  readonly note: string;
}

/** Names that this server gives; the first group is the number of the episode. */
const OWN_NAME = /^(?:\.|\d{4}-\d{2}-\d{2}-)(\d{1,10})-\d{1,10}-[0-9a-f]{8}\.[a-z0-9]{1,20}(?:\.json(?:\.new)?)?$/;
const DIGEST_CHARS = 8;
const DATE_CHARS = 10;

/** The folder of a podcast within its catalog. */
export const podcastFolder = (podcastId: PodcastId): string => `podcast-${podcastId}`;

const dateOf = (atMs: number): string => {
  const text = new Date(atMs).toISOString();
  // Years beyond four digits, which a feed may claim.
  return /^\d{4}-/.test(text) ? text.slice(0, DATE_CHARS) : '9999-12-31';
};

/**
 * Makes the folder of a download's podcast. The catalog's own is not made: where it is missing, a disk is, too.
 * @throws DownloadFault when it cannot be made
 */
export const placeOf = async (catalogPath: string, download: EpisodeDownload): Promise<EpisodePath> => {
  const { podcastId, episodeId, run, addedAtMs, publishedAtMs } = download;
  const digest = createHash('sha256').update(`${podcastId} ${episodeId} ${run} ${addedAtMs}`).digest('hex').slice(0, DIGEST_CHARS);
  const key = `${episodeId}-${run}-${digest}`;
  const folderName = podcastFolder(podcastId);
  const folder = join(await rootOf(catalogPath), folderName);
  try {
    await mkdir(folder);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw fileFault(error, 'the folder of the podcast cannot be made');
  }
  // Somebody may have put a link there.
  if ((await realpath(folder)) !== folder) throw new DownloadFault('disturbed', 'the folder of the podcast is a link');
  const part = join(folder, `.${key}.part`);
  return { folder, folderName, baseName: `${dateOf(publishedAtMs)}-${key}`, key, part, note: `${part}.json` };
};

const rootOf = async (catalogPath: string): Promise<string> => {
  try {
    return await realpath(catalogPath);
  } catch (error) {
    throw new DownloadFault('disturbed', `the folder of the catalog cannot be opened (${errorCode(error)})`, 0, { cause: error });
  }
};

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Maps a file system error to a download fault. */
export const fileFault = (error: unknown, what: string): DownloadFault => {
  if (error instanceof DownloadFault) return error;
  const code = errorCode(error);
  if (FULL.has(code)) return new DownloadFault('no-room', `the disk of the catalog is full (${code})`, 0, { cause: error });
  return new DownloadFault('disturbed', `${what} (${code})`, 0, { cause: error });
};

/** Name of the finished file of a download, if an earlier attempt came so far. */
export const finishedName = async ({ folder, key }: EpisodePath): Promise<string | undefined> =>
  (await readdir(folder)).find((name) => !name.startsWith('.') && name.includes(`-${key}.`) && OWN_NAME.test(name));

/** Takes away what has arrived of a download and is not finished. */
export const removePart = async ({ part, note }: Pick<EpisodePath, 'part' | 'note'>): Promise<void> => {
  await Promise.all([part, note].map((path) => rm(path, { force: true })));
};

/** Takes away all that a download has left, its finished file included. */
export const removeTraces = async (place: EpisodePath): Promise<void> => {
  await removePart(place);
  const finished = await finishedName(place);
  if (finished !== undefined) await rm(join(place.folder, finished), { force: true });
};

/** Takes away one kept file; one that is missing is fine. `path` is relative to the root, as the library has it. */
export const removeKept = async (catalogPath: string, path: string): Promise<void> => {
  const [folder, name, ...more] = path.split('/');
  // Paths of the read model are checked again before use.
  if (!folder || !name || more.length > 0 || !OWN_NAME.test(name)) return;
  await rm(join(catalogPath, folder, name), { force: true });
};

/** Error codes of a missing file. */
export const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

/** Whether there is a folder for a podcast. */
export const hasFolder = async (catalogPath: string, podcastId: PodcastId): Promise<boolean> => {
  try {
    return (await stat(join(catalogPath, podcastFolder(podcastId)))).isDirectory();
  } catch (error) {
    if (GONE.has(errorCode(error))) return false;
    throw error;
  }
};

/** Removes this server's files of a podcast, or those of one of its episodes; what somebody else put there stays. */
const removeOwn = async (catalogPath: string, podcastId: PodcastId, episodeId?: PodcastEpisodeId): Promise<void> => {
  const folder = join(catalogPath, podcastFolder(podcastId));
  const isMeant = (name: string): boolean => {
    const number = OWN_NAME.exec(name)?.[1];
    return number !== undefined && (episodeId === undefined || Number(number) === episodeId);
  };
  try {
    const names = await readdir(folder);
    await Promise.all(names.filter(isMeant).map((name) => rm(join(folder, name), { force: true })));
    if (episodeId === undefined) await rmdir(folder);
  } catch (error) {
    const code = errorCode(error);
    if (!GONE.has(code) && code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
};

/** Takes away all files of an episode, also what has arrived in part. */
export const removeEpisode = (catalogPath: string, podcastId: PodcastId, episodeId: PodcastEpisodeId): Promise<void> =>
  removeOwn(catalogPath, podcastId, episodeId);

/** Takes away the folder of a podcast, unless somebody else has put something there. */
export const removePodcast = (catalogPath: string, podcastId: PodcastId): Promise<void> => removeOwn(catalogPath, podcastId);
