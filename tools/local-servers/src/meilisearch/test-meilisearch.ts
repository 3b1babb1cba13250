/** Meilisearch of a test, which can go and come back. */
export interface TestMeilisearch {
  readonly url: string;
  /** Master key. */
  readonly key: string;
  /** Ends it at once; it keeps what it has. */
  readonly down: () => Promise<void>;
  /** Starts it again at the same address. */
  readonly up: () => Promise<void>;
  /** As when its folder is emptied. */
  readonly loseEverything: () => void | Promise<void>;
  /** Number of documents; undefined while there is no such index. */
  readonly documentsIn: (index: string) => Promise<number | undefined>;
  /** Sentences about what it would not do. */
  readonly refused: () => Promise<readonly string[]>;
  readonly stop: () => Promise<void>;
}
