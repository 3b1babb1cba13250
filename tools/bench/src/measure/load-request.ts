/** Requests that a load generator makes, message to its process. */
export interface LoadRequest {
  /** Origin of the server. */
  readonly url: string;
  /** Paths with their queries, requested in turn. */
  readonly paths: readonly string[];
  /** Kept-alive connections, each with one request at a time. */
  readonly connections: number;
  readonly durationMs: number;
  /** Requests to make at least, however long they take. */
  readonly atLeast: number;
}

/** Answer of the load generator's process. */
export type LoadAnswer =
  | { readonly timesMs: readonly number[]; readonly tookMs: number; readonly bytes: number }
  | { readonly error: string };
