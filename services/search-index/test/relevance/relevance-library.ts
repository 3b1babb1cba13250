import { relevanceAlbums, type AlbumLine } from './relevance-albums.js';

/** An artist of the relevance library. Ids count from 1 in the order of the lines, so that they are the same for every adapter. */
export interface RelevanceArtist {
  readonly id: number;
  readonly name: string;
}

/** An album of the relevance library. */
export interface RelevanceAlbum {
  readonly id: number;
  readonly name: string;
  readonly artist: RelevanceArtist;
  readonly year: number;
}

/** A song of the relevance library. */
export interface RelevanceSong {
  readonly id: number;
  readonly title: string;
  /** All credited artists, the main one first. */
  readonly artists: readonly RelevanceArtist[];
  readonly album: RelevanceAlbum;
  /** From 1, within the album. */
  readonly track: number;
  readonly playCount: number;
}

/** A whole library, for whichever index or database a spec wants to fill. */
export interface RelevanceLibrary {
  readonly artists: readonly RelevanceArtist[];
  readonly albums: readonly RelevanceAlbum[];
  readonly songs: readonly RelevanceSong[];
}

/**
 * A mixed collection of well-known names, and around it as many albums of invented names as `fillerAlbums` says, ten songs each: what a query
 * must not confuse them with. The same every time.
 */
export const relevanceLibrary = (fillerAlbums = 150): RelevanceLibrary => {
  const artists = new Map<string, RelevanceArtist>();
  const albums: RelevanceAlbum[] = [];
  const songs: RelevanceSong[] = [];
  const artistOf = (name: string): RelevanceArtist => {
    const artist = artists.get(name) ?? { id: artists.size + 1, name };
    artists.set(name, artist);
    return artist;
  };
  for (const [artist, name, year, ...tracks] of [...relevanceAlbums, ...invented(fillerAlbums)]) {
    const album = { id: albums.length + 1, name, artist: artistOf(artist), year };
    albums.push(album);
    tracks.forEach((line, index) => {
      const [title = '', plays = '0', guests = ''] = line.split('|');
      const credited = creditsOf(artist, guests).map(artistOf);
      songs.push({ id: songs.length + 1, title, artists: credited, album, track: index + 1, playCount: Number(plays) });
    });
  }
  return { artists: [...artists.values()], albums, songs };
};

/** On a compilation the guest is the artist. */
const creditsOf = (artist: string, guests: string): string[] => {
  const named = guests.split(', ').filter((guest) => guest !== '');
  return artist === 'Various Artists' ? named : [artist, ...named];
};

const ADJECTIVES =
  'Amber Broken Cobalt Distant Electric Faded Gilded Hollow Idle Jagged Lonesome Midnight Northern Quiet Scarlet Velvet'.split(' ');
const NOUNS =
  'Harbour Lantern Meadow Orchard Parade Railway Satellite Tide Window Compass Ember Garden Canyon Feather Mirror Thunder Winter Valley Signal Clockwork'.split(
    ' ',
  );
const VERBS = 'Burning Calling Drifting Falling Following Leaving Waiting Wandering Whispering Running'.split(' ');

/** Albums of artists that do not exist, out of words that also occur in real titles. */
const invented = (count: number): AlbumLine[] => {
  let state = 20_260_101;
  const pick = (words: readonly string[]): string => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return words[Math.floor((state / 2 ** 32) * words.length)] as string;
  };
  const title = (): string =>
    pick([
      `${pick(ADJECTIVES)} ${pick(NOUNS)}`,
      `${pick(VERBS)} ${pick(NOUNS)}`,
      `The ${pick(NOUNS)} and the ${pick(NOUNS)}`,
      `${pick(VERBS)} in the ${pick(ADJECTIVES)} ${pick(NOUNS)}`,
      pick(NOUNS),
    ]);
  return Array.from({ length: count }, (_, n): AlbumLine => {
    const artist = pick([
      `The ${pick(ADJECTIVES)} ${pick(NOUNS)}s`,
      `${pick(ADJECTIVES)} ${pick(NOUNS)}`,
      `${pick(NOUNS)} & ${pick(NOUNS)}`,
    ]);
    const tracks = Array.from({ length: 10 }, () => `${title()}|${state % 40}`);
    return [artist, title(), 1970 + (n % 50), ...tracks];
  });
};
