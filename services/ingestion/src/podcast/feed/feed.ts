/** The file of an episode, as the feed names it. */
export interface FeedEnclosure {
  /** Absolute http or https address. */
  readonly url: string;
  /** MIME type by the feed, in lower case; null when absent or neither sound nor picture. */
  readonly mime: string | null;
  /** Size by the feed; often wrong. */
  readonly sizeBytes: number | null;
}

/** One episode of a feed that has something to play. Texts are plain, without markup. */
export interface FeedEpisode {
  /** Key that identifies the episode within its feed. */
  readonly key: string;
  readonly title: string;
  readonly description: string;
  readonly author: string;
  readonly category: string;
  readonly websiteUrl: string | null;
  readonly imageUrl: string | null;
  readonly publishedAtMs: number | null;
  readonly durationMs: number | null;
  readonly enclosure: FeedEnclosure;
}

/** Parsed feed with its episodes in order. Texts are plain, without markup; empty when absent. */
export interface Feed {
  readonly title: string;
  readonly description: string;
  readonly language: string;
  readonly copyright: string;
  readonly generator: string;
  readonly author: string;
  readonly websiteUrl: string | null;
  readonly imageUrl: string | null;
  /** When it says that it was made. */
  readonly builtAtMs: number | null;
  readonly episodes: readonly FeedEpisode[];
  /** Items that have nothing to play, or nothing that may be fetched. */
  readonly leftOut: number;
  /** There was more than is read. */
  readonly isCut: boolean;
}

/** Why a document is no feed for us. */
export type FeedFaultReason = 'malformed' | 'not-a-feed' | 'document-type' | 'too-deep' | 'empty';

/** A document that is refused. The message may be shown to whoever named it. */
export class FeedFault extends Error {
  override readonly name = 'FeedFault';
  constructor(
    readonly reason: FeedFaultReason,
    message: string,
  ) {
    super(message);
  }
}

/** Most episodes of one feed that are read: the first ones, which are the newest in nearly all. */
export const MAX_EPISODES = 5000;
/** Longest texts that are kept, characters. */
export const MAX_LINE_CHARS = 500;
export const MAX_DESCRIPTION_CHARS = 8000;
