import { createHash } from 'node:crypto';
import type { CatalogId, EpisodeAbout } from '@continuo/contracts';

const DIGEST_CHARS = 16;
const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_CHARS);

/** The key of an episode as its podcast holds it: keys of feeds are long, and there are thousands. */
export const shortKey = (key: string): string => digestOf(key);

/** Tells whether a feed says something else of an episode; the order of the fields does not matter. */
export const aboutDigest = (about: EpisodeAbout): string =>
  digestOf(JSON.stringify(Object.entries(about).toSorted(([a], [b]) => (a < b ? -1 : 1))));

/** The natural key of a podcast: its feed within its catalog, so that nobody learns what a catalog has that they do not see. */
export const podcastFeedKey = (catalogId: CatalogId, feedUrl: string): string =>
  createHash('sha256').update(`${catalogId}|${feedUrl}`).digest('hex').slice(0, 40);
