import type { SearchDocument } from '../../src/search-document.js';
import type { SearchIndex, SearchIndexWriter } from '../../src/search-index.js';
import type { RelevanceLibrary } from './relevance-library.js';
import type { RelevanceSearch } from './relevance-run.js';

const EVERYWHERE = { catalogIds: [1], foundBy: 'everybody' } as const;

/** The relevance library as documents of a search index. What is played of an artist or an album is what is played of its songs. */
export const relevanceDocuments = ({ artists, albums, songs }: RelevanceLibrary): SearchDocument[] => {
  const plays = (of: (song: RelevanceLibrary['songs'][number]) => boolean): number =>
    songs.filter(of).reduce((sum, { playCount }) => sum + playCount, 0);
  return [
    ...artists.map(({ id, name }): SearchDocument => {
      const popularity = plays((song) => song.artists.some((artist) => artist.id === id));
      return { ...EVERYWHERE, kind: 'artist', id, name, popularity };
    }),
    ...albums.map(({ id, name, artist }): SearchDocument => {
      return { ...EVERYWHERE, kind: 'album', id, name, artists: [artist.name], popularity: plays((song) => song.album.id === id) };
    }),
    ...songs.map(({ id, title, artists: credited, album, playCount }): SearchDocument => {
      const names = { artists: credited.map(({ name }) => name), album: album.name, albumArtists: [album.artist.name] };
      return { ...EVERYWHERE, kind: 'song', id, name: title, ...names, popularity: playCount };
    }),
  ];
};

/** Fills an index with the library. */
export const fillForRelevance = async (writer: SearchIndexWriter, library: RelevanceLibrary): Promise<void> => {
  await writer.prepare();
  const rebuild = await writer.beginRebuild();
  await rebuild.write({ upserts: relevanceDocuments(library) });
  await rebuild.swap({ epoch: 'relevance', position: 1, version: 1 });
};

/** Asks an index for songs, albums and artists at once, as players do, and as somebody who may see everything. */
export const relevanceSearchOf =
  (index: SearchIndex): RelevanceSearch =>
  async (kind, text, limit) => {
    const page = { offset: 0, limit };
    const result = await index.search({ text, pages: { song: page, album: page, artist: page }, catalogs: 'all', viewerId: null });
    return result[kind]?.ids ?? [];
  };
