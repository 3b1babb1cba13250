import { defencesOf, type Defence } from '../defence.js';

const download = 'ingestion/src/podcast/download';
const fetched = `${download}/fetch-episode.int.spec.ts`;
const worked = `${download}/download-worker.int.spec.ts`;
const streamed = 'gateway/src/apis/media/episode-streams.int.spec.ts';
const corpus = 'ingestion/src/podcast/feed/feed-corpus.int.spec.ts';

/** Rows 3, 7, 9, 10 and 17: feeds, the files of their episodes, and who hears them. */
export const podcastDefences: readonly Defence[] = defencesOf([
  [
    10,
    'declare entities in a feed',
    'ingestion/src/podcast/feed/read-feed.ts',
    "if (name.toLowerCase() === '!doctype' && data.includes('['))",
    'if (name.length > 1000)',
    corpus,
  ],
  [
    9,
    'nest a feed without end',
    'ingestion/src/podcast/feed/feed-gatherer.ts',
    "if (this.#path.length >= MAX_DEPTH) throw new FeedFault('too-deep', `The document nests more than ${MAX_DEPTH} levels`);",
    '',
    corpus,
  ],
  [
    9,
    'send a file without end',
    `${download}/fetch-episode.ts`,
    'maxBytes: Math.max(1, limits.maxBytes - (beginning?.haveBytes ?? 0)),',
    '',
    fetched,
  ],
  [9, 'fill the disk', `${download}/fetch-episode.ts`, 'await this.#requireRoom(totalBytes ?? 0);', '', fetched],
  [9, 'be silent for ever', `${download}/fetch-episode.ts`, 'if (atBytes === this.#heardAt) stall.abort();', '', fetched],
  [
    9,
    'have a page kept as sound',
    `${download}/download-worker.ts`,
    'const found = await inspectEpisode(this.deps, place.part);',
    "const found = { ...(await inspectEpisode(this.deps, place.part).catch(() => undefined)), format: 'mp3' } as never as Omit<EpisodeFile, 'path'>;",
    worked,
  ],
  [
    7,
    'lead a download elsewhere by a link',
    `${download}/episode-path.ts`,
    "if ((await realpath(folder)) !== folder) throw new DownloadFault('disturbed', 'the folder of the podcast is a link');",
    '',
    worked,
  ],
  [
    3,
    'learn from a redirect who is sent',
    'gateway/src/features/media/send-episode.ts',
    ".header('referrer-policy', 'no-referrer')",
    '',
    streamed,
  ],
  [
    17,
    'hear an episode of a hidden catalog',
    'gateway/src/reads/podcasts/episode-file.reads.ts',
    ".where('e.id', '=', id)\n    .where(inVisibleCatalogs(viewer, sql`e.catalog_id`))",
    ".where('e.id', '=', id)",
    streamed,
  ],
]);
