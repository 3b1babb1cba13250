/** A request to a server that somebody else named: a webhook, a feed, a picture. */
export interface OutboundRequest {
  /** Absolute `http:` or `https:` address without user name and password. */
  readonly url: string;
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT';
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Whole time for everything, redirects and body included, ms; default 15 000. */
  readonly timeoutMs?: number;
  /** Largest body, as sent and as unpacked, bytes; default 1 MiB. */
  readonly maxBytes?: number;
  /** Redirects that are followed; default 5. At 0 a redirect is an answer like any other. */
  readonly maxRedirects?: number;
  readonly signal?: AbortSignal;
}

/** Response status and headers. */
export interface OutboundHead {
  readonly status: number;
  /** Names in lower case; of several values the first. */
  readonly headers: Readonly<Record<string, string>>;
  /** URL of the answer, after redirects. */
  readonly url: string;
}

/** An answer whose body is in memory, unpacked. */
export interface OutboundResponse extends OutboundHead {
  readonly body: Uint8Array;
}

/** An answer whose body flows, unpacked; whoever does not read it to its end leaves the loop early or calls `return`. */
export interface OutboundFlow extends OutboundHead {
  readonly body: AsyncGenerator<Uint8Array, void, undefined>;
}

/** Why the client refuses, or gives up on, a request. */
export type OutboundFault =
  /** No `http:` or `https:` address, one with a password in it, or a port that no web server uses. */
  | 'address-form'
  /** It leads to an address of this machine, of a private network, or one that is reserved. */
  | 'address-refused'
  | 'unresolved'
  | 'unreachable'
  | 'too-many-redirects'
  | 'timeout'
  | 'too-large'
  /** The response is no HTTP, or not packed as it says. */
  | 'malformed';

/** A request that was refused, or that came to nothing. The message may be shown to whoever named the address. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  constructor(
    readonly fault: OutboundFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * The only client for outbound requests: every request to an address that a person, a feed or a tag names goes through it.
 */
export interface OutboundClient {
  /**
   * Sends a request and reads the whole answer.
   * @throws OutboundError for whatever is not an answer; the reason of `signal` when that fires
   */
  fetch(request: OutboundRequest): Promise<OutboundResponse>;
  /** The same, with a body that flows; the limits hold while it does. */
  open(request: OutboundRequest): Promise<OutboundFlow>;
  /** Closes idle connections and those in use. */
  close(): Promise<void>;
}
