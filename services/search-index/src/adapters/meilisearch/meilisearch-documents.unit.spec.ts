import { describe, expect, it } from 'vitest';
import type { SearchDocument } from '../../search-document.js';
import { attemptsOf, thingDocument, visibilityFilter } from './meilisearch-documents.js';
import { indexNames, isRebuildIndex, SEARCHED_ATTRIBUTES } from './meilisearch-index-settings.js';

const song = (parts: Partial<SearchDocument>): SearchDocument => ({
  kind: 'song',
  id: 1,
  name: 'x',
  catalogIds: [3],
  foundBy: 'everybody',
  popularity: 5,
  ...parts,
});

describe('a document for Meilisearch', () => {
  it('has folded texts, and the words that are not in them apart', () => {
    const document = thingDocument(
      song({ name: 'Thunderstruck (Live)', artists: ['AC/DC', 'P!nk'], albumArtists: ['AC/DC'], album: 'J. S. Bâch' }),
    );
    expect(document).toMatchObject({ name: 'thunderstruck live', artists: ['acdc', 'pink'], album: 'j s bach', albumArtists: [] });
    expect(document.words.split(' ').toSorted()).toEqual(['ac', 'dc', 'js', 'nk', 'p', 'pnk']);
    expect(document).toMatchObject({ catalogIds: [3], isInCatalogs: true, isPrivate: false, accountIds: [], popularity: 5 });
    expect(Object.keys(document)).toEqual(expect.arrayContaining([...SEARCHED_ATTRIBUTES]));
  });

  it('has scripts without blanks as single characters, and Korean as it is written', () => {
    expect(thingDocument(song({ name: '宇多田ヒカル Live' })).name).toBe('宇 多 田 ひ か る live');
    expect(thingDocument(song({ name: '부산항에' })).name).toBe('부산항에');
  });

  it('is found by those whom it names', () => {
    expect(thingDocument(song({ catalogIds: [], foundBy: [7] }))).toMatchObject({ isInCatalogs: false, isPrivate: true, accountIds: [7] });
  });
});

describe('a search in Meilisearch', () => {
  it('is asked as it stands, then in its other readings, without the signs of the query language', () => {
    expect(attemptsOf('AC/DC')).toEqual(['acdc', 'ac dc']);
    expect(attemptsOf('"blink" -182')[0]).toBe('blink 182');
    expect(attemptsOf('the beatles')).toEqual(['the beatles', 'beatles', 'thebeatles']);
    expect(attemptsOf('宇多')[0]).toBe('宇 多');
    expect(attemptsOf('done ')[0]).toBe('done ');
    expect(attemptsOf(' \u0000 "-" ')).toEqual([]);
    expect(attemptsOf('a b c d e f').length).toBeLessThanOrEqual(4);
  });

  it('is bound to what the viewer may find', () => {
    expect(visibilityFilter({ catalogs: 'all', viewerId: null })).toEqual([['isPrivate = false']]);
    expect(visibilityFilter({ catalogs: [], viewerId: null })).toEqual([['isInCatalogs = false'], ['isPrivate = false']]);
    expect(visibilityFilter({ catalogs: [1, 2], viewerId: 7 })).toEqual([
      ['isInCatalogs = false', 'catalogIds IN [1, 2]'],
      ['isPrivate = false', 'accountIds = 7'],
    ]);
  });
});

describe('names of indexes', () => {
  it('tell rebuilds of this installation from everything else', () => {
    const { all } = indexNames('my_music', 'rabc1');
    expect(all).toHaveLength(6);
    expect(all.every((uid) => isRebuildIndex('my_music', uid))).toBe(true);
    for (const uid of [...indexNames('my_music').all, ...indexNames('my', 'rabc1').all, 'my_music_other_rabc1', 'music_song_rabc1'])
      expect(isRebuildIndex('my_music', uid)).toBe(false);
  });
});
