import { locateMeilisearch, MeilisearchServer } from '@continuo/local-servers/meilisearch';

/** Address and key of a Meilisearch. */
export interface LiveMeilisearch {
  readonly url: string;
  readonly key: string | undefined;
}

const { MEILI_URL: url = '', MEILI_KEY: key } = process.env;
const bin = locateMeilisearch();
let own: Promise<MeilisearchServer> | undefined;

/** Whether there is a real server to test with: one at `MEILI_URL`, or the program that `MEILI_BIN` names. */
export const hasMeilisearch = url !== '' || bin !== undefined;

/** The server at `MEILI_URL`, else one that is started for the specs of this file. @throws Error without either */
export const liveMeilisearch = async (): Promise<LiveMeilisearch> => {
  if (url !== '') return { url, key };
  if (bin === undefined) throw new Error('neither MEILI_URL nor MEILI_BIN is set');
  own ??= MeilisearchServer.start(bin);
  return own;
};

/** Ends the server that was started. */
export const endMeilisearch = async (): Promise<void> => {
  await (await own)?.stop();
  own = undefined;
};

/** Documents that a killed Meilisearch has to take: `CONTINUO_TEST_SEARCH_DOCUMENTS`. */
export const documentsToIndex = Number(process.env['CONTINUO_TEST_SEARCH_DOCUMENTS'] ?? 100_000);
