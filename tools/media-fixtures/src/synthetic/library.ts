import { albumName, artistName, fakeMbid, GENRES, lyricLines, MOODS, trackTitle } from './names.js';
import { randomFor, zipf, type Random } from './random.js';

/** An artist by number; the number is the same wherever the name turns up. */
export interface SyntheticArtist {
  readonly number: number;
  readonly name: string;
}

/** One track of a made-up album. */
export interface SyntheticTrack {
  readonly title: string;
  readonly artists: readonly SyntheticArtist[];
  readonly disk: number;
  readonly track: number;
  readonly durationMs: number;
  readonly genres: readonly string[];
  readonly moods: readonly string[];
  readonly lyrics: readonly string[];
  /** dB. */
  readonly trackGainDb: number | undefined;
  readonly composer: string | undefined;
  readonly mbRecordingId: string | undefined;
}

/** One made-up album: the content of one media folder. */
export interface SyntheticAlbum {
  readonly number: number;
  readonly name: string;
  readonly artist: SyntheticArtist;
  readonly compilation: boolean;
  readonly year: number;
  readonly disks: number;
  readonly mbAlbumId: string | undefined;
  readonly recordLabel: string | undefined;
  readonly art: 'embedded' | 'folder' | 'none';
  readonly tracks: readonly SyntheticTrack[];
}

/** A reproducible library of a given size; albums are made when asked for and look the same in any order. */
export interface SyntheticLibrary {
  readonly songs: number;
  readonly albums: number;
  readonly artists: number;
  album(number: number): SyntheticAlbum;
}

/** Proportions of a synthetic library. */
export interface LibraryShape {
  /** 12 by default. */
  readonly songsPerAlbum?: number;
  /** 2.2 by default. */
  readonly albumsPerArtist?: number;
  /** Where every album has its cover; mixed by default. */
  readonly art?: SyntheticAlbum['art'];
}

const SONGS_PER_ALBUM = 12;
const ALBUMS_PER_ARTIST = 2.2;

/** Stands for "Various Artists" in {@link SyntheticArtist}. */
export const VARIOUS_ARTISTS: SyntheticArtist = { number: 0, name: 'Various Artists' };

/**
 * Describes a library of exactly `songs` songs in albums of 12 unless `shape` says otherwise (the last one takes the rest). Artists and genres follow Zipf's law; about 3 % of
 * the albums are compilations, 6 % have two disks, 8 % of the tracks a guest, 10 % lyrics.
 */
export const syntheticLibrary = (songs: number, seed: number, shape: LibraryShape = {}): SyntheticLibrary => {
  const { songsPerAlbum = SONGS_PER_ALBUM, albumsPerArtist = ALBUMS_PER_ARTIST, art } = shape;
  const albums = Math.ceil(songs / songsPerAlbum);
  const artists = Math.max(1, Math.round(albums / albumsPerArtist));
  const pickArtist = zipf(artists, 0.7);
  const pickGenre = zipf(GENRES.length, 1);
  const people = (random: Random): SyntheticArtist => {
    const number = 1 + pickArtist(random);
    return { number, name: artistName(number) };
  };
  const kinds = { people, genres: (random: Random) => genresOf(random, pickGenre) };
  const album = (number: number): SyntheticAlbum => {
    const size = Math.min(songsPerAlbum, songs - number * songsPerAlbum);
    const made = makeAlbum(number, size, randomFor(seed, `album ${number}`), kinds);
    return art ? { ...made, art } : made;
  };
  return { songs, albums, artists, album };
};

interface Kinds {
  readonly people: (random: Random) => SyntheticArtist;
  readonly genres: (random: Random) => readonly string[];
}

const genresOf = (random: Random, pickGenre: (random: Random) => number): string[] => {
  const count = random.chance(0.6) ? 1 : random.chance(0.7) ? 2 : 3;
  return [...new Set(Array.from({ length: count }, () => GENRES[pickGenre(random)] ?? 'Rock'))];
};

const makeAlbum = (number: number, size: number, random: Random, kinds: Kinds): SyntheticAlbum => {
  const compilation = random.chance(0.03);
  const artist = compilation ? VARIOUS_ARTISTS : kinds.people(random);
  const disks = random.chance(0.06) && size > 1 ? 2 : 1;
  const genres = kinds.genres(random);
  const mbAlbumId = random.chance(0.5) ? fakeMbid(random) : undefined;
  const head = {
    number,
    name: albumName(number),
    artist,
    compilation,
    year: 1955 + Math.floor(random.next() ** 0.5 * 71),
    disks,
    mbAlbumId,
    recordLabel: random.chance(0.3) ? `${trackTitle(random)} Records` : undefined,
    art: random.pick(['embedded', 'embedded', 'folder', 'folder', 'none'] as const),
  };
  const perDisk = Math.ceil(size / disks);
  const tracks = Array.from({ length: size }, (_, index) =>
    makeTrack(random, kinds, { main: compilation ? undefined : artist, genres, tagged: mbAlbumId !== undefined, index, perDisk }),
  );
  return { ...head, tracks };
};

interface TrackLocation {
  /** The album's artist; absent on a compilation. */
  readonly main: SyntheticArtist | undefined;
  readonly genres: readonly string[];
  /** Whether the album's files carry MusicBrainz ids. */
  readonly tagged: boolean;
  readonly index: number;
  readonly perDisk: number;
}

const makeTrack = (random: Random, kinds: Kinds, place: TrackLocation): SyntheticTrack => {
  const main = place.main ?? kinds.people(random);
  const guest = random.chance(0.08) ? kinds.people(random) : undefined;
  return {
    title: trackTitle(random),
    artists: guest && guest.number !== main.number ? [main, guest] : [main],
    disk: 1 + Math.floor(place.index / place.perDisk),
    track: 1 + (place.index % place.perDisk),
    durationMs: 90_000 + random.below(300_000),
    genres: random.chance(0.9) ? place.genres : kinds.genres(random),
    moods: random.chance(0.1) ? [random.pick(MOODS)] : [],
    lyrics: random.chance(0.1) ? lyricLines(random) : [],
    trackGainDb: random.chance(0.6) ? -Math.round(random.next() * 1200) / 100 : undefined,
    composer: random.chance(0.2) ? kinds.people(random).name : undefined,
    mbRecordingId: place.tagged ? fakeMbid(random) : undefined,
  };
};
