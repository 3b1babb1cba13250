import { config } from '../config.js';
import { MeilisearchDouble } from './meilisearch-double.js';
import { MeilisearchServer } from './meilisearch-server.js';
import type { TestMeilisearch } from './test-meilisearch.js';

export { MeilisearchDouble } from './meilisearch-double.js';
export { MeilisearchServer } from './meilisearch-server.js';
export type { TestMeilisearch } from './test-meilisearch.js';

/** Path of a real Meilisearch: `MEILI_BIN`; undefined when none was named. */
export const locateMeilisearch = (): string | undefined => config.meilisearchBin;

/** Starts a real Meilisearch where there is one ({@link locateMeilisearch}), else a double of it. */
export const testMeilisearch = async (): Promise<TestMeilisearch> => {
  const bin = locateMeilisearch();
  return bin === undefined ? MeilisearchDouble.start() : MeilisearchServer.start(bin);
};
