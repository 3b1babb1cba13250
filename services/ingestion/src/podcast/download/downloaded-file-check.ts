import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemContext, type CommandClient } from '@continuo/chassis';
import { removeEpisodeFiles } from '@continuo/contracts';
import type { Logger } from 'pino';
import { errorCode } from '../../walk/list-folder.js';
import type { DownloadReads, DownloadedEpisodeCursor, DownloadedEpisode } from './downloads.reads.js';

/** Dependencies of {@link DownloadedFileCheck}. */
export interface DownloadedFileCheckDependencies {
  readonly reads: Pick<DownloadReads, 'keptAfter'>;
  readonly commands: CommandClient;
  readonly log: Logger;
}

/** Files that one round looks at. */
const PER_ROUND = 200;
const OWN_FOLDER = /^podcast-\d+$/;
const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

/** A catalog without any folder of a podcast is far more likely an absent disk than one that somebody cleared. */
const isMounted = async (catalogPath: string): Promise<boolean> => {
  try {
    return (await readdir(catalogPath)).some((name) => OWN_FOLDER.test(name));
  } catch {
    // An unreadable file is not a missing one.
    return false;
  }
};

const isGone = async ({ catalogPath, path }: DownloadedEpisode): Promise<boolean> => {
  try {
    await access(join(catalogPath, path));
    return false;
  } catch (error) {
    return GONE.has(errorCode(error));
  }
};

/** Looks whether kept files of episodes are still there, some by the minute, and gives up those that somebody took away, so that they can be fetched again. */
export class DownloadedFileCheck {
  /** The episode that was looked at last. */
  #last: DownloadedEpisodeCursor | undefined;

  constructor(private readonly deps: DownloadedFileCheckDependencies) {}

  async round(signal: AbortSignal): Promise<void> {
    const { reads, commands, log } = this.deps;
    const page = await reads.keptAfter(this.#last, PER_ROUND);
    this.#last = page.length < PER_ROUND ? undefined : page.at(-1);
    for (const [catalogPath, kept] of Map.groupBy(page, (one) => one.catalogPath)) {
      if (signal.aborted || !(await isMounted(catalogPath))) continue;
      for (const episode of kept) {
        if (!(await isGone(episode))) continue;
        const { podcastId, episodeId, path } = episode;
        log.warn({ podcastId, episodeId, path }, 'downloaded episode file is missing');
        await commands.send(removeEpisodeFiles, { podcastId, episodeIds: [episodeId], cause: 'missing' }, systemContext());
      }
    }
  }
}
