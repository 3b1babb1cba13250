import { Meilisearch, MeilisearchApiError, MeilisearchRequestError } from 'meilisearch';
import { doublingPauses, retry } from '@continuo/chassis';
import { SearchUnavailable } from '../../search-index.js';

/** Address of a Meilisearch, and its timeouts. */
export interface MeilisearchOptions {
  readonly url: string;
  readonly key?: string | undefined;
  /** Prefix of the names of the indexes. */
  readonly prefix: string;
  /** Time for the answer to a search, ms. */
  readonly searchTimeoutMs?: number;
  /** Time for the answer to a request that writes or asks for the state, ms. */
  readonly requestTimeoutMs?: number;
  /** Time until a task that changes documents has been carried out, ms. */
  readonly taskTimeoutMs?: number;
  /** Documents of one request. */
  readonly documentsPerRequest?: number;
  /** Tasks of this writer that may wait at the server at the same time. */
  readonly maxQueuedTasks?: number;
  /** Number of retries of a write while the server is unreachable or overloaded. */
  readonly retries?: number;
  /** The same while an index is built anew: what has been written to it is lost when that is given up. */
  readonly rebuildRetries?: number;
}

const DEFAULTS = {
  searchTimeoutMs: 1500,
  requestTimeoutMs: 30_000,
  taskTimeoutMs: 600_000,
  documentsPerRequest: 5000,
  maxQueuedTasks: 8,
  retries: 3,
  // Half a minute, in which a server that ended is there again.
  rebuildRetries: 8,
} as const;

/** The same with everything decided. */
export type MeilisearchLimits = Required<Omit<MeilisearchOptions, 'key'>>;

/** Fills in what was left open. */
export const limitsOf = ({ key: _, ...options }: MeilisearchOptions): MeilisearchLimits => ({ ...DEFAULTS, ...options });

/** A client of the server. Requests without a signal of their own end after the time for requests. */
export const connectMeilisearch = ({ url, key, requestTimeoutMs = DEFAULTS.requestTimeoutMs }: MeilisearchOptions): Meilisearch =>
  new Meilisearch({ host: url, timeout: requestTimeoutMs, ...(key === undefined ? {} : { apiKey: key }) });

/** The server's word for what is wrong (`index_not_found`), undefined when it gave none. */
export const meilisearchCode = (error: unknown): string | undefined => {
  const cause = error instanceof SearchUnavailable ? error.cause : error;
  return cause instanceof MeilisearchApiError ? cause.cause?.code : undefined;
};

const TRANSIENT_STATUS = new Set([408, 425, 429]);

/** True when the same request may succeed a moment later. */
const isTransient = (error: unknown): boolean => {
  if (error instanceof MeilisearchApiError) return error.response.status >= 500 || TRANSIENT_STATUS.has(error.response.status);
  // A broken answer is the word of a proxy in between.
  return error instanceof MeilisearchRequestError || error instanceof SyntaxError;
};

/** Why it failed, for people; never with the key, nor with what the server was sent. */
const reasonOf = (error: unknown): string => {
  if (error instanceof MeilisearchApiError) {
    const { status } = error.response;
    if (status === 401 || status === 403)
      return `Meilisearch refuses the key (MEILI_KEY) with ${status}: ${meilisearchCode(error) ?? 'no code'}`;
    return `Meilisearch answers ${status}: ${meilisearchCode(error) ?? 'no code'}`;
  }
  if (error instanceof MeilisearchRequestError) return 'Meilisearch does not answer';
  return 'Meilisearch gives an answer that cannot be read';
};

/** Turns whatever a request failed with into {@link SearchUnavailable}. */
export const unavailable = (error: unknown): SearchUnavailable =>
  error instanceof SearchUnavailable ? error : new SearchUnavailable(reasonOf(error), { cause: error });

const FIRST_PAUSE_MS = 100;

/**
 * Sends a request that may be sent twice, again after growing pauses while the server is away.
 * @throws SearchUnavailable
 */
export const persistently = <T>(request: () => Promise<T>, retries: number): Promise<T> => {
  const pauseMs = (tries: number): number => doublingPauses(FIRST_PAUSE_MS)(tries) * (0.5 + Math.random());
  return retry(request, { pauseMs, tries: retries + 1, isTransient }).catch((error: unknown) => {
    throw unavailable(error);
  });
};
