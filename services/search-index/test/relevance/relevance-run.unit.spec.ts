import { describe, expect, it } from 'vitest';
import { relevanceLibrary } from './relevance-library.js';
import { relevanceQueries } from './relevance-queries.js';
import { relevanceTable, runRelevance } from './relevance-run.js';

describe('the relevance set', () => {
  const library = relevanceLibrary();

  it('has more than 150 queries of every class, and each expectation names one thing of the library', async () => {
    expect(relevanceQueries.length).toBeGreaterThanOrEqual(150);
    const nothing = await runRelevance(async () => [], library, relevanceQueries);
    expect(nothing.recall).toBe(0);
    expect(nothing.misses).toHaveLength(relevanceQueries.length);
    expect(nothing.byClass.size).toBe(16);
    expect(new Set(relevanceQueries.map(([, kind, query]) => `${kind} ${query}`)).size).toBe(relevanceQueries.length);
  });

  it('is the same library every time, with names of other people around it', () => {
    expect(relevanceLibrary()).toEqual(library);
    expect(library.songs.length).toBeGreaterThan(1800);
    expect(relevanceLibrary(0).songs.length).toBeLessThan(600);
  });

  it('counts what is among the first three only', async () => {
    const [song] = library.songs;
    const query = ['plain', 'song', 'x', `AC/DC: ${song?.title} @ ${song?.album.name}`] as const;
    const at = (ids: number[]) => runRelevance(async () => ids, library, [query]);
    expect((await at([9, 8, 1])).recall).toBe(1);
    expect((await at([9, 8, 7, 1])).recall).toBe(0);
    expect(relevanceTable(await at([1]))).toContain('| plain | 1 | 1.000 |');
  });
});
