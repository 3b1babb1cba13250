import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchIndexUnderTest } from '../search-index.contract.js';
import { fillForRelevance, relevanceSearchOf } from './relevance-documents.js';
import { relevanceLibrary } from './relevance-library.js';
import { relevanceQueries, type QueryClass } from './relevance-queries.js';
import { relevanceMisses, relevanceTable, runRelevance, type RelevanceReport } from './relevance-run.js';

/** The least recall at three that counts as a working search: of all queries, and of those of each class. */
export interface RelevanceFloor {
  readonly all: number;
  readonly ofClass: number;
  /** Classes in which an adapter may be worse. */
  readonly exceptions?: Partial<Record<QueryClass, number>>;
}

/** Puts the relevance set to an adapter, prints what it found, and wants a least recall. */
export const relevanceContract = (name: string, start: () => Promise<SearchIndexUnderTest>, floor: RelevanceFloor): void => {
  describe(`${name}: relevance`, () => {
    let under: SearchIndexUnderTest;
    let report: RelevanceReport;
    beforeAll(async () => {
      under = await start();
      const library = relevanceLibrary();
      await fillForRelevance(under.writer, library);
      report = await runRelevance(relevanceSearchOf(under.index), library, relevanceQueries);
      process.stdout.write(`\n${name}\n${relevanceTable(report)}\n${relevanceMisses(report)}\n`);
    });
    afterAll(() => under.stop());

    it(`finds ${floor.all} of what is expected among the first three`, () => {
      expect(report.recall).toBeGreaterThanOrEqual(floor.all);
    });

    it.each([...new Set(relevanceQueries.map(([of]) => of))])('is of use for queries of the class «%s»', (of) => {
      expect(report.byClass.get(of)?.recall).toBeGreaterThanOrEqual(floor.exceptions?.[of] ?? floor.ofClass);
    });
  });
};
