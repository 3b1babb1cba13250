import { z } from 'zod';

/** As long as an address of a feed, a file or a page may be, characters. */
export const MAX_PODCAST_URL = 2000;
/** Longest title and the like, characters. */
export const MAX_PODCAST_LINE = 500;
/** Longest description, characters. */
export const MAX_PODCAST_TEXT = 8000;
/** Longest reason for which a feed cannot be read, characters. */
export const MAX_FEED_FAULT = 500;
/** Most episodes of one podcast that are known at a time; feeds are read no further either. */
export const MAX_PODCAST_EPISODES = 10_000;
/** Most episodes of one command, which becomes one event; its sender also keeps it below the largest message. */
export const MAX_PODCAST_EPISODES_PER_COMMAND = 200;

/** Nothing that a parser would drop or turn into something else, nor what a header or a page would stumble over. */
const PLAIN = /^https?:\/\/[^\s\p{C}"<>\\^`{|}]+$/iu;

/** True for an address that a podcast, its page or a file of it may have: http or https, with a host, without a password, which everybody would be shown. */
export const isPodcastUrl = (text: string): boolean => {
  if (text.length > MAX_PODCAST_URL || !text.isWellFormed() || !PLAIN.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.hostname !== '' && url.username === '' && url.password === '';
};

/** An address of a podcast. */
export const podcastUrl = z.string().refine(isPodcastUrl, { error: 'no address of a podcast' });
const line = z.string().max(MAX_PODCAST_LINE);
const text = z.string().max(MAX_PODCAST_TEXT);

/** Metadata of a podcast; empty where the feed has none. */
export const podcastAbout = z.object({
  title: line,
  description: text,
  language: line,
  copyright: line,
  generator: line,
  author: line,
  websiteUrl: podcastUrl.nullable(),
  imageUrl: podcastUrl.nullable(),
  /** When the feed says that it was made, epoch ms. */
  builtAtMs: z.int().nonnegative().nullable(),
});
/** Metadata of a podcast. */
export type PodcastAbout = z.infer<typeof podcastAbout>;

/** Metadata of an episode, from its feed. */
export const episodeAbout = z.object({
  title: line,
  description: text,
  author: line,
  category: line,
  websiteUrl: podcastUrl.nullable(),
  imageUrl: podcastUrl.nullable(),
  publishedAtMs: z.int().nonnegative().nullable(),
  durationMs: z.int().nonnegative().nullable(),
  /** Where its file is. */
  mediaUrl: podcastUrl,
  /** MIME type according to the feed; null without one. */
  mime: z.string().max(127).nullable(),
  /** Size according to the feed; often wrong. */
  sizeBytes: z.int().nonnegative().nullable(),
});
/** Metadata of an episode, from its feed. */
export type EpisodeAbout = z.infer<typeof episodeAbout>;

/** Where a kept file lies in the catalog: names that this server made, never words of a feed. */
export const episodePath = z.string().regex(/^podcast-\d{1,10}\/[a-z0-9][a-z0-9.-]{0,120}$/);

/** The file of an episode that is kept here, as it was found when it had been fetched. */
export const episodeFile = z.object({
  path: episodePath,
  sizeBytes: z.int().nonnegative(),
  durationMs: z.int().nonnegative(),
  /** Container by its usual file suffix. */
  format: z.string().min(1).max(20),
  codec: z.string().max(100).nullable(),
  mime: z.string().max(127),
  bitrateBps: z.int().nonnegative(),
  bitrateMode: z.enum(['cbr', 'vbr', 'abr']).nullable(),
  lossless: z.boolean(),
  /** 0 when unknown, like the numbers below. */
  sampleRateHz: z.int().nonnegative(),
  channels: z.int().nonnegative(),
  bitDepth: z.int().nonnegative(),
});
/** See {@link episodeFile}. */
export type EpisodeFile = z.infer<typeof episodeFile>;

/** Tells the downloads of one episode apart, from 1 on: only the word of the last one counts. */
export const downloadRun = z.int().positive();
/** Why files are wanted: somebody asked for these, or they are the newest of their podcast. */
export const downloadCause = z.enum(['asked', 'newest']);
/** See {@link downloadCause}. */
export type DownloadCause = z.infer<typeof downloadCause>;
/** Why a file goes: somebody said so, newer ones took its place, or it was not there any more. */
export const fileRemovalCause = z.enum(['asked', 'retention', 'missing']);
/** See {@link fileRemovalCause}. */
export type FileRemovalCause = z.infer<typeof fileRemovalCause>;
/** Longest reason of a failure, characters. */
export const MAX_DOWNLOAD_REASON = 300;

/** Cache validators of the last answer of a feed's server, for the next request. */
export const feedMemory = z.object({ etag: z.string().max(500).nullable(), lastModified: z.string().max(500).nullable() });
/** See {@link feedMemory}. */
export type FeedMemory = z.infer<typeof feedMemory>;

/** Key that identifies an episode within its podcast. */
export const episodeKey = z.string().min(1).max(400);
