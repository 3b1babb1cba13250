import type { CompatClient } from '../../harness/compat-client.js';

/** A song, an album and an artist in each of the chosen places of a library. */
export interface LibrarySample {
  readonly songs: readonly string[];
  readonly albums: readonly string[];
  readonly artists: readonly string[];
  readonly covers: readonly string[];
  /** One word of each song's title: in a large library most of them are rare. */
  readonly words: readonly string[];
  /** The most frequent words of titles and names. */
  readonly frequentWords: readonly string[];
  /** Songs of the whole library. */
  readonly songCount: number;
}

interface AlbumAnswer {
  readonly id: string;
  readonly name: string;
  readonly artist?: string;
  readonly artistId?: string;
  readonly coverArt?: string;
  readonly song?: readonly { readonly id: string; readonly title: string }[];
}

const PAGE = 500;
const PLACES = 20;

const allAlbums = async (client: CompatClient): Promise<AlbumAnswer[]> => {
  const albums: AlbumAnswer[] = [];
  for (let page: readonly AlbumAnswer[] | undefined; page === undefined || page.length === PAGE;) {
    const parameters = { type: 'alphabeticalByName', size: PAGE, offset: albums.length };
    page = (await client.json<{ albumList2: { album?: AlbumAnswer[] } }>('getAlbumList2', parameters)).albumList2.album ?? [];
    albums.push(...page);
  }
  return albums;
};

/** Entries at even distances. */
export const spread = <T>(all: readonly T[], count: number): T[] =>
  Array.from(
    { length: Math.min(count, all.length) },
    (_, n) => all[Math.floor(((n + 0.5) * all.length) / Math.min(count, all.length))] as T,
  );

const present = (values: readonly (string | undefined)[]): string[] => values.filter((value) => value !== undefined);
const byText =
  <T>(text: (one: T) => string): ((a: T, b: T) => number) =>
  (a, b) =>
    text(a) < text(b) ? -1 : 1;

const wordsOf = (text: string): string[] => text.match(/\p{L}{4,}/gu) ?? [];

/** The three words that there are most of; of equally frequent ones the first in the alphabet. */
export const mostFrequent = (words: readonly string[]): string[] => {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, 3)
    .map(([word]) => word);
};

/** Chooses what to ask for: the same things on every server, which sort and number in their own ways. */
export const sampleLibrary = async (client: CompatClient, songCount: number): Promise<LibrarySample> => {
  const sorted = (await allAlbums(client)).toSorted(byText(({ name, artist = '' }) => `${name}\n${artist}`));
  const albums = await Promise.all(
    spread(sorted, PLACES).map(async ({ id }) => (await client.json<{ album: AlbumAnswer }>('getAlbum', { id })).album),
  );
  const songs = albums.flatMap(({ song = [] }) => spread(song.toSorted(byText(({ title }) => title)), 1));
  return {
    songs: songs.map(({ id }) => id),
    albums: albums.map(({ id }) => id),
    artists: present(albums.map(({ artistId }) => artistId)),
    covers: present(albums.map(({ coverArt }) => coverArt)),
    words: songs.flatMap(({ title }) => wordsOf(title).slice(0, 1)),
    frequentWords: mostFrequent(
      albums.flatMap(({ name, artist = '', song = [] }) => [name, artist, ...song.map(({ title }) => title)].flatMap(wordsOf)),
    ),
    songCount,
  };
};

/** One kind of request. */
export interface RequestKind {
  readonly key: string;
  readonly endpoint: string;
  readonly parameters: (sample: LibrarySample) => readonly Readonly<Record<string, string | number>>[];
  /** Answers are bytes rather than a document. */
  readonly isBinary?: boolean;
}

const once =
  (parameters: Readonly<Record<string, string | number>> = {}): RequestKind['parameters'] =>
  () => [parameters];
const ofEach =
  (kind: 'songs' | 'albums' | 'artists' | 'covers', others = {}): RequestKind['parameters'] =>
  (sample) =>
    sample[kind].map((id) => ({ id, ...others }));
const SONGS_ONLY = { songCount: PAGE, artistCount: 0, albumCount: 0 };

/** The requests in the order of the table. */
export const requestKinds: readonly RequestKind[] = [
  { key: 'ping', endpoint: 'ping', parameters: once() },
  { key: 'getSong', endpoint: 'getSong', parameters: ofEach('songs') },
  { key: 'getAlbum', endpoint: 'getAlbum', parameters: ofEach('albums') },
  { key: 'getArtist', endpoint: 'getArtist', parameters: ofEach('artists') },
  { key: 'stream', endpoint: 'stream', parameters: ofEach('songs', { format: 'raw' }), isBinary: true },
  { key: 'cover', endpoint: 'getCoverArt', parameters: ofEach('covers', { size: 300 }), isBinary: true },
  { key: 'byName', endpoint: 'getAlbumList2', parameters: once({ type: 'alphabeticalByName', size: PAGE }) },
  { key: 'newest', endpoint: 'getAlbumList2', parameters: once({ type: 'newest', size: 50 }) },
  {
    key: 'middle',
    endpoint: 'search3',
    parameters: ({ songCount }) => [{ query: '""', ...SONGS_ONLY, songOffset: Math.max(0, Math.floor(songCount / 2) - PAGE / 2) }],
  },
  { key: 'word', endpoint: 'search3', parameters: ({ words }) => words.map((query) => ({ query })) },
  { key: 'frequentWord', endpoint: 'search3', parameters: ({ frequentWords }) => frequentWords.map((query) => ({ query })) },
  { key: 'getArtists', endpoint: 'getArtists', parameters: once() },
];
