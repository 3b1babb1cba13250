import { describe, expect, it } from 'vitest';
import { SearchIndexChain, type SearchFault } from './search-index-chain.js';
import { SearchUnavailable, type SearchIndex, type SearchRequest, type SearchResult } from './search-index.js';

const request: SearchRequest = { text: 'x', pages: { song: { offset: 0, limit: 1 } }, catalogs: 'all', viewerId: null };

/** An index that does what it is told, and counts how often it was asked. */
class Scripted implements SearchIndex {
  asked = 0;
  answer: () => Promise<SearchResult>;
  signal: AbortSignal | undefined;

  constructor(
    readonly name: string,
    id: number,
  ) {
    this.answer = () => Promise.resolve({ song: { ids: [id], estimatedTotal: 1 } });
  }

  search({ signal }: SearchRequest): Promise<SearchResult> {
    this.asked += 1;
    this.signal = signal;
    return this.answer();
  }
}

const chain = () => {
  const [first, second] = [new Scripted('first', 1), new Scripted('second', 2)];
  const missed: [string, SearchFault][] = [];
  const answered: string[] = [];
  let nowMs = 0;
  const observer = {
    missed: (index: string, fault: SearchFault) => void missed.push([index, fault]),
    answered: (index: string) => void answered.push(index),
  };
  const index = new SearchIndexChain([{ index: first, timeoutMs: 20 }, { index: second }], observer, () => nowMs);
  const search = async () => (await index.search(request)).song?.ids[0];
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { first, second, missed, answered, search, pass, index };
};

const down = () => Promise.reject(new SearchUnavailable('gone'));
const never = () => new Promise<SearchResult>(() => undefined);

describe('a chain of search indexes', () => {
  it('asks the first only, as long as it answers', async () => {
    const { search, second, answered } = chain();
    expect([await search(), await search()]).toEqual([1, 1]);
    expect(second.asked).toBe(0);
    expect(answered).toEqual(['first', 'first']);
  });

  it('goes on to the next one, and leaves the broken one alone for a while', async () => {
    const { search, first, missed, pass } = chain();
    first.answer = down;
    for (let round = 0; round < 4; round += 1) expect(await search()).toBe(2);
    expect(first.asked).toBe(2);
    expect(missed.map(([, fault]) => fault)).toEqual(['unavailable', 'unavailable', 'open', 'open']);
    pass(5001);
    expect(await Promise.all([search(), search()])).toEqual([2, 2]);
    expect(first.asked).toBe(3);
  });

  it('comes back to one that works again', async () => {
    const { search, first, pass } = chain();
    const works = first.answer;
    first.answer = down;
    await search();
    await search();
    first.answer = works;
    pass(5001);
    expect([await search(), await search()]).toEqual([1, 1]);
  });

  it('does not wait for a late answer, and ends it', async () => {
    const { search, first, missed } = chain();
    first.answer = never;
    expect(await search()).toBe(2);
    expect(missed).toEqual([['first', 'late']]);
    expect(first.signal?.aborted).toBe(true);
  });

  it('counts faults of any other kind, and says so when nobody answers', async () => {
    const { index, first, second, missed } = chain();
    first.answer = () => Promise.reject(new TypeError('a bug'));
    second.answer = down;
    await expect(index.search(request)).rejects.toThrow(SearchUnavailable);
    expect(missed).toEqual([
      ['first', 'failed'],
      ['second', 'unavailable'],
    ]);
  });

  it('does not go on for somebody who has left', async () => {
    const { index, first, second } = chain();
    const left = new AbortController();
    first.answer = () => {
      left.abort();
      return Promise.reject(new Error('ended'));
    };
    await expect(index.search({ ...request, signal: left.signal })).rejects.toThrow('ended');
    expect(second.asked).toBe(0);
  });
});
