import { foldName, sortKey } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { readMusicBrainzId, readSearch } from './search-words.js';

const word = (text: string) => ({ text, exact: false });
const group = (text: string) => ({ text, exact: true });

describe('a search', () => {
  it('for nothing has no terms', () => {
    expect(['', '  ', '""', '"', '" "', '*', '"*"'].flatMap((query) => readSearch(query).terms)).toEqual([]);
  });

  it('folds words and drops what stars and quotes say', () => {
    expect(readSearch('Björk*').terms).toEqual([word('bjork')]);
    expect(readSearch('hörst  DU%').terms).toEqual([word('horst'), word('du')]);
    expect(readSearch('"Dark Side" moon').terms).toEqual([group('dark side'), word('moon')]);
    expect(readSearch('dark+side').terms).toEqual([group('dark side')]);
    expect(readSearch('"unclosed group').terms).toEqual([group('unclosed group')]);
  });

  it('leaves out a leading article, as sort names do, unless it is all there is', () => {
    expect(readSearch('The Beatles').terms).toEqual([word('beatles')]);
    expect(readSearch('"The Beatles"').terms).toEqual([group('beatles')]);
    expect(readSearch('the').terms).toEqual([word('the')]);
    expect(readSearch('over the hill').terms).toHaveLength(3);
  });

  it('keeps names that are nothing but punctuation and cuts it off words', () => {
    expect(readSearch('!!!').terms).toEqual([word('!!!')]);
    expect(readSearch('(live)').terms).toEqual([word('live')]);
    expect(readSearch("don't AC/DC").terms).toEqual([word("don't"), word('ac/dc')]);
  });

  it('ignores middle dots, unless there is nothing else', () => {
    expect(readSearch('P·U•L‧S･E').terms).toEqual([word('pulse')]);
    expect(readSearch('one · two "three・four"').terms).toEqual([word('one'), word('two'), group('threefour')]);
    expect(readSearch(' ·').terms).toEqual([word('·')]);
  });

  it('may be a MusicBrainz id', () => {
    const mbid = '11111111-2222-4333-8444-55555555abcd';
    for (const query of [mbid, mbid.toUpperCase(), ` "${mbid}" `]) expect(readMusicBrainzId(query)).toBe(mbid);
    for (const query of ['', 'abc', `${mbid}0`, `x ${mbid}`, mbid.replaceAll('-', '')]) expect(readMusicBrainzId(query)).toBeUndefined();
  });

  it('is bounded', () => {
    expect(readSearch('x '.repeat(10_000)).terms.length).toBeLessThanOrEqual(12);
    expect(readSearch('y'.repeat(10_000)).whole.length).toBeLessThanOrEqual(100);
  });
});

describe('keys', () => {
  it('fold accents, case and articles', () => {
    expect(foldName('  Ænima  É ')).toBe('aenima e');
    expect(sortKey('The Wall')).toBe('wall');
    expect(sortKey('The')).toBe('the');
  });
});
