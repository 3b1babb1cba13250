import type { OutboundClient } from '@continuo/chassis';
import type { Feed } from './feed.js';
import { readFeed } from './read-feed.js';

/** Validators of the last answer, for a conditional request. */
export interface FeedMemory {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** Limits of one visit. */
export interface FeedLimits {
  /** As sent and as unpacked. */
  readonly maxBytes: number;
  /** For everything, ms. */
  readonly timeoutMs: number;
}

/** Outcome of fetching a feed: not modified, a feed, or an answer that is none. */
export type FeedVisit =
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'read'; readonly feed: Feed; readonly memory: FeedMemory }
  /** The server answered with a status other than 200 and 304. */
  | { readonly outcome: 'refused'; readonly status: number };

const ACCEPTED = 'application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.8, */*;q=0.1';
/** Servers that send longer ones are not asked with them. */
const MAX_MEMORY_CHARS = 500;
// Characters that a request header may hold.
const SENDABLE = /^[\x20-\x7e]+$/;

const memorable = (value: string | undefined): string | null =>
  value !== undefined && value.length <= MAX_MEMORY_CHARS && SENDABLE.test(value) ? value : null;

/**
 * Visits a feed, through the client that reaches no address of this machine or its network.
 * @throws OutboundError when nothing came, FeedFault when it is no feed; the messages of both may be shown
 */
export const fetchFeed = async (
  outbound: OutboundClient,
  url: string,
  memory: FeedMemory,
  { maxBytes, timeoutMs, nowMs }: FeedLimits & { readonly nowMs: number },
): Promise<FeedVisit> => {
  const conditions = {
    ...(memory.etag === null ? {} : { 'if-none-match': memory.etag }),
    ...(memory.lastModified === null ? {} : { 'if-modified-since': memory.lastModified }),
  };
  const answer = await outbound.open({ url, headers: { accept: ACCEPTED, ...conditions }, maxBytes, timeoutMs });
  if (answer.status !== 200) {
    await answer.body.return();
    return answer.status === 304 ? { outcome: 'unchanged' } : { outcome: 'refused', status: answer.status };
  }
  const feed = await readFeed(answer.body, { url: answer.url, contentType: answer.headers['content-type'], nowMs });
  return {
    outcome: 'read',
    feed,
    memory: { etag: memorable(answer.headers['etag']), lastModified: memorable(answer.headers['last-modified']) },
  };
};
