import { albumName, type Random, randomFor, type SyntheticAlbum, syntheticLibrary, uniqueWord } from '@continuo/media-fixtures';
import type { SearchDocument } from '@continuo/search-index';

/** Words that many titles share, the most frequent first: what makes searching hard. */
const COMMON =
  'the love you me of a to in my i on and for night no all it your be time is heart day with world what down up we girl blue one man out life go baby song live so dance know home away light black good sun like moon dream never rain remix road get back'.split(
    ' ',
  );
/** Distinct words of titles; a third of all words are among the first few. */
const VOCABULARY = 60_000;
const WELL_KNOWN = 0.05;

/** A word by Zipf's law. */
const word = (random: Random): string => {
  const rank = Math.floor(Math.exp(random.next() * Math.log(VOCABULARY))) - 1;
  return COMMON[rank] ?? uniqueWord(rank);
};

const title = (random: Random): string => Array.from({ length: 1 + random.below(5) }, () => word(random)).join(' ');

/** A twentieth of everything is played, a few things very often. */
const plays = (random: Random): number => (random.chance(WELL_KNOWN) ? Math.ceil(1000 / (1 + random.next() * 1000)) : 0);

const EVERYBODY = 'everybody';

const documentsOf = (album: SyntheticAlbum, firstSongId: number, random: Random): SearchDocument[] => {
  const name = random.chance(0.5) ? title(random) : albumName(album.number);
  const shared = { catalogIds: [1 + (album.number % 4)], foundBy: EVERYBODY } as const;
  const songs = album.tracks.map((track, index): SearchDocument => {
    const artists = track.artists.map((artist) => artist.name);
    const place = { kind: 'song', id: firstSongId + index, name: title(random) } as const;
    return { ...shared, ...place, album: name, artists, albumArtists: [album.artist.name], popularity: plays(random) };
  });
  return [...songs, { ...shared, kind: 'album', id: album.number + 1, name, artists: [album.artist.name], popularity: plays(random) }];
};

/** The documents of a library of so many songs, with its albums and artists, album by album. The same every time. */
export function* searchDocuments(songs: number): Generator<SearchDocument[]> {
  const library = syntheticLibrary(songs, 1);
  const random = randomFor(1, 'search documents');
  const artists = new Map<string, number>();
  let next = 1;
  for (let number = 0; number < library.albums; number += 1) {
    const album = library.album(number);
    const documents = documentsOf(album, next, random);
    next += album.tracks.length;
    for (const { name } of [album.artist, ...album.tracks.flatMap((track) => track.artists)]) {
      if (artists.has(name)) continue;
      artists.set(name, artists.size + 1);
      documents.push({ kind: 'artist', id: artists.size, name, catalogIds: [1, 2, 3, 4], foundBy: EVERYBODY, popularity: plays(random) });
    }
    yield documents;
  }
}
