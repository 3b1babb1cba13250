import { z } from 'zod';

/** As long as an address of a feed, a file or a page may be, characters. */
export const MAX_PODCAST_URL = 2000;
/** Longest title and the like, characters. */
export const MAX_PODCAST_LINE = 500;
/** Longest description, characters. */
export const MAX_PODCAST_TEXT = 8000;
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

/** What there is to say of a podcast; empty where nothing is said. */
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
/** What there is to say of a podcast. */
export type PodcastAbout = z.infer<typeof podcastAbout>;

/** What a feed says of an episode. */
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
  /** What the feed says that the file is; null: nothing. */
  mime: z.string().max(127).nullable(),
  /** What the feed says; often wrong. */
  sizeBytes: z.int().nonnegative().nullable(),
});
/** What a feed says of an episode. */
export type EpisodeAbout = z.infer<typeof episodeAbout>;

/** What is remembered of the last answer of a feed's server, for asking again. */
export const feedMemory = z.object({ etag: z.string().max(500).nullable(), lastModified: z.string().max(500).nullable() });
/** See {@link feedMemory}. */
export type FeedMemory = z.infer<typeof feedMemory>;

/** What tells an episode from the others of its podcast. */
export const episodeKey = z.string().min(1).max(400);
