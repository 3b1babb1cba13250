/** State of a server at a moment, and what it has done in the minutes before. */
export interface LoadSample {
  /** Machine and port of the gateway that has noted it. */
  readonly gateway: string;
  /** Epoch milliseconds. */
  readonly atMs: number;
  readonly requestsPerS: number;
  /** Time within which 95 of 100 answers were complete, media aside, ms; null when there were none. */
  readonly p95Ms: number | null;
  /** Of the process of the gateway. */
  readonly memoryBytes: number;
  /** Sessions that play. */
  readonly listeners: number;
  readonly runningScans: number;
  /** Events that the projection that is furthest behind has yet to read. */
  readonly lagEvents: number;
}

/** Samples of the last day. */
export interface LoadHistory {
  /** Samples of all gateways, and one of this moment. @throws Rejection `unavailable` */
  samples(): Promise<readonly LoadSample[]>;
  /** Notes a sample when the last one is old enough; throws nothing. */
  recordWhenDue(): Promise<void>;
}

/** Knows how loaded the server was. */
export interface HasLoadHistory {
  readonly loadHistory: LoadHistory;
}
