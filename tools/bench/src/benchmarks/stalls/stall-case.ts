/** Fixtures for a request to the server under test. */
export interface StallWorld {
  readonly songs: number;
  /** Session of the administrator on the native API. */
  readonly session: string;
  /** The administrator's key, which the compatibility API takes. */
  readonly apiKey: string;
  /** Makes a call that prepares one that is measured, and answers its body. */
  readonly ask: (request: StallRequest) => Promise<string>;
}

/** A request of a case. */
export interface StallRequest {
  readonly path: string;
  /** GET unless there is a body, then POST. */
  readonly method?: string;
  readonly type?: string;
  /** Sent as a bearer token. */
  readonly bearer?: string;
  readonly body?: string | Buffer;
}

/** A request that was known to hold the event loop, to take a lot of memory, or that would if something were done carelessly. */
export interface StallCase {
  readonly what: string;
  /** Makes the request; what it needs to be there is made here too. It is made once and sent several times. */
  readonly request: (world: StallWorld) => StallRequest | Promise<StallRequest>;
}
