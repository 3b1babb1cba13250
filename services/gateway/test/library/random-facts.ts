import { sortKey, splitName, type AnnotatedKind, type EpisodeState } from '@continuo/contracts';

/** A catalog of a random library. */
export interface CatalogFact {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly gatherTypes: string;
  readonly enabled: boolean;
  readonly renamePattern: string | null;
  readonly sortPattern: string | null;
  readonly scannedAtMs: number | null;
}
/** A folder; `parent` is null for a catalog's root. */
export interface FolderFact {
  readonly id: number;
  readonly catalog: number;
  readonly parent: number | null;
  readonly name: string;
  readonly present: boolean;
}
/** A song with what its tags name. */
export interface SongFact {
  readonly id: number;
  readonly catalog: number;
  readonly folder: number;
  readonly album: number;
  readonly fileName: string;
  readonly title: string;
  readonly artists: readonly number[];
  readonly genres: readonly number[];
  readonly moods: readonly number[];
  readonly license: number | null;
  readonly disk: number;
  readonly track: number;
  readonly year: number;
  readonly durationMs: number;
  readonly addedAtMs: number;
  readonly updatedAtMs: number;
  readonly composer: string | null;
}
/** An album; one without songs is not listed. */
export interface AlbumFact {
  readonly id: number;
  readonly catalog: number;
  readonly name: string;
  readonly artists: readonly number[];
  readonly labels: readonly number[];
  readonly year: number;
  readonly originalYear: number | null;
  readonly releaseType: string | null;
  readonly releaseStatus: string | null;
  readonly version: string | null;
  readonly barcode: string | null;
  readonly catalogNumber: string | null;
  readonly diskSubtitles: Readonly<Record<number, string>>;
}
/** Anything with a name. */
export interface NamedFact {
  readonly id: number;
  readonly name: string;
}
/** A video with what its file says. */
export interface VideoFact {
  readonly id: number;
  readonly catalog: number;
  readonly title: string;
  readonly genres: readonly number[];
  readonly durationMs: number;
  readonly addedAtMs: number;
  readonly updatedAtMs: number;
  readonly codec: string | null;
  readonly widthPx: number;
  readonly releaseDate: string | null;
}
/** A podcast. */
export interface PodcastFact {
  readonly id: number;
  readonly catalog: number;
  readonly title: string;
  readonly websiteUrl: string | null;
  readonly addedAtMs: number;
  readonly updatedAtMs: number;
}
/** An episode of a podcast. */
export interface EpisodeFact {
  readonly id: number;
  readonly podcast: number;
  readonly catalog: number;
  readonly title: string;
  readonly author: string;
  readonly category: string;
  readonly publishedAtMs: number;
  readonly durationMs: number | null;
  readonly state: EpisodeState;
  readonly addedAtMs: number;
  readonly updatedAtMs: number;
}
/** Plays of an episode by an account. */
export interface EpisodePlaysFact {
  readonly episode: number;
  readonly user: number;
  readonly plays: number;
  readonly lastPlayedAtMs: number;
}
/** A radio station. */
export interface StationFact {
  readonly id: number;
  readonly catalog: number;
  readonly name: string;
  readonly url: string;
  readonly siteUrl: string | null;
  readonly codec: string | null;
}
/** An account. */
export interface UserFact {
  readonly id: number;
  readonly username: string;
  readonly fullName: string | null;
  readonly fullNamePublic: boolean;
  readonly email: string | null;
  readonly city: string | null;
  readonly access: number;
  readonly disabled: boolean;
  readonly createdAtMs: number;
}
/** Ratings, favourites and plays of a thing. */
export interface AnnotationFact {
  readonly user: number;
  readonly kind: AnnotatedKind;
  readonly id: number;
  readonly rating: number | null;
  readonly ratedAtMs: number;
  readonly flaggedAtMs: number | null;
}
/** Something that an account shares. */
export interface ShareFact {
  readonly id: number;
  readonly user: number;
  readonly kind: 'song' | 'album' | 'artist';
  readonly object: number;
  readonly download: boolean;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly visits: number;
}
/** A playlist with its songs in order; `owner` null: the system's. */
export interface PlaylistFact {
  readonly id: number;
  readonly owner: number | null;
  readonly name: string;
  readonly isPublic: boolean;
  readonly collaborators: readonly number[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly songs: readonly number[];
}
/** A smartlist as a list shows it; what it finds is not listed. */
export interface SmartlistFact extends Omit<PlaylistFact, 'songs'> {
  readonly limit: number;
  readonly isRandom: boolean;
  readonly lastCount: number;
}
/** Plays and skips of a song. */
export interface PlaysFact {
  readonly song: number;
  readonly plays: number;
  readonly skips: number;
  readonly lastPlayedAtMs: number | null;
}

/** Follower and followed account. */
export interface FollowFact {
  readonly follower: number;
  readonly followed: number;
  readonly followedAtMs: number;
}

/** Everything that lists are made of, as facts without a sum among them. */
export interface LibraryFacts {
  readonly catalogs: readonly CatalogFact[];
  readonly folders: readonly FolderFact[];
  readonly songs: readonly SongFact[];
  readonly albums: readonly AlbumFact[];
  readonly artists: readonly (NamedFact & { readonly addedAtMs: number })[];
  readonly genres: readonly (NamedFact & { readonly hidden: boolean })[];
  readonly labels: readonly NamedFact[];
  readonly licenses: readonly (NamedFact & { readonly link: string })[];
  readonly users: readonly UserFact[];
  readonly follows: readonly FollowFact[];
  readonly annotations: readonly AnnotationFact[];
  readonly plays: readonly PlaysFact[];
  readonly videos: readonly VideoFact[];
  readonly stations: readonly StationFact[];
  readonly podcasts: readonly PodcastFact[];
  readonly episodes: readonly EpisodeFact[];
  readonly episodePlays: readonly EpisodePlaysFact[];
  readonly shares: readonly ShareFact[];
  readonly playlists: readonly PlaylistFact[];
  readonly smartlists: readonly SmartlistFact[];
  readonly deleted: readonly { readonly id: number; readonly catalog: number; readonly deletedAtMs: number }[];
}

/** Returns the columns of a name. */
export const nameColumns = (name: string) => ({ name, ...splitName(name), name_sort: sortKey(name) });

const words = [
  'Long',
  'rain',
  'Zoë',
  'zoe',
  'Harbour',
  '100%',
  'a_b',
  'The',
  'An',
  'éclair',
  'north',
  'NORTH',
  'x\\y',
  "o'clock",
  '🎵',
  '12',
];

/** A source of chance that gives the same for the same seed. */
const chance = (seed: number) => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (end: number): number => Math.floor(next() * end);
  const one = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  const some = <T>(values: readonly T[], most: number): T[] => [...new Set(Array.from({ length: below(most + 1) }, () => one(values)))];
  const maybe = <T>(value: () => T): T | null => (next() < 0.4 ? null : value());
  const name = (): string => {
    const text = Array.from({ length: 1 + below(3) }, () => one(words)).join(' ');
    return text;
  };
  return { below, one, some, maybe, name };
};
type Chance = ReturnType<typeof chance>;

const many = <T>(count: number, make: (id: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index + 1));
const DAY_MS = 86_400_000;
/** Few different moments, so that there are ties. */
const moment = ({ below }: Chance): number => 1_700_000_000_000 + below(6) * DAY_MS;

const albumFact = (dice: Chance, id: number, artists: readonly number[]): AlbumFact => ({
  id,
  catalog: 1 + dice.below(3),
  name: dice.name(),
  artists: dice.some(artists, 2),
  labels: dice.some([1, 2, 3, 4], 2),
  year: 1990 + dice.below(4),
  originalYear: dice.maybe(() => 1985 + dice.below(8)),
  releaseType: dice.maybe(() => dice.one(['album', 'EP', 'single'])),
  releaseStatus: dice.maybe(() => dice.one(['official', 'Promo'])),
  version: dice.maybe(() => dice.one(['Deluxe', 'mono'])),
  barcode: dice.maybe(() => String(dice.below(5))),
  catalogNumber: dice.maybe(() => dice.one(['AB 1', 'ab 2', 'C'])),
  diskSubtitles: { 2: 'Second' },
});

const songFact = (
  dice: Chance,
  id: number,
  { albums, folders, artists }: Pick<LibraryFacts, 'albums' | 'folders' | 'artists'>,
): SongFact => {
  const album = dice.one(albums.slice(1));
  const addedAtMs = moment(dice);
  return {
    id,
    catalog: album.catalog,
    folder: dice.one(folders.filter(({ catalog, present }) => catalog === album.catalog && present)).id,
    album: album.id,
    fileName: `${dice.one(['01', '02', 'B', 'a'])} ${id}.flac`,
    title: dice.name(),
    artists: dice.some(
      artists.slice(1).map((artist) => artist.id),
      3,
    ),
    genres: dice.some([1, 2, 3, 4, 5], 2),
    moods: dice.some([1, 2], 1),
    license: dice.maybe(() => 1 + dice.below(3)),
    disk: dice.one([1, 1, 1, 2, 3, 300]),
    track: dice.below(4),
    year: 1990 + dice.below(4),
    durationMs: 1000 * (1 + dice.below(5)),
    addedAtMs,
    updatedAtMs: addedAtMs + dice.below(3) * DAY_MS,
    composer: dice.maybe(() => dice.one(['Bach', 'anon', 'Zimmer'])),
  };
};

const annotated: readonly AnnotatedKind[] = [
  'song',
  'album',
  'album_disk',
  'artist',
  'genre',
  'label',
  'catalog',
  'folder',
  'video',
  'live_stream',
  'playlist',
  'search',
  'podcast',
  'podcast_episode',
];

const annotationsOf = (dice: Chance, songs: readonly SongFact[]): AnnotationFact[] =>
  [1, 2].flatMap((user) =>
    annotated.flatMap((kind) => {
      const disks = songs.map((song) => song.album * 256 + Math.min(song.disk, 255));
      const ids = kind === 'album_disk' ? dice.some(disks, 8) : dice.some(many(kind === 'song' ? songs.length : 8, Number), 12);
      return ids.map((id) => ({
        user,
        kind,
        id,
        rating: dice.maybe(() => 1 + dice.below(5)),
        ratedAtMs: moment(dice),
        flaggedAtMs: dice.maybe(() => moment(dice)),
      }));
    }),
  );

const usersOf = (dice: Chance): UserFact[] =>
  many(8, (id) => ({
    id,
    username: `${dice.one(['ada', 'Bob', 'rain', 'zoe'])}${id}`,
    fullName: dice.maybe(() => dice.name()),
    fullNamePublic: dice.below(2) === 1,
    email: dice.maybe(() => `${dice.one(['ada', 'rain'])}@example.org`),
    city: dice.maybe(() => dice.one(['Ulm', 'aachen'])),
    access: dice.one([5, 25, 100]),
    disabled: dice.below(4) === 0,
    createdAtMs: moment(dice),
  }));

/** Some of the first dozen accounts follow some others, a few of them at the same moment. */
const followsOf = (dice: Chance): FollowFact[] =>
  many(12, (follower) => follower).flatMap((follower) =>
    many(12, (followed) => followed).flatMap((followed) =>
      follower === followed || dice.below(3) > 0 ? [] : [{ follower, followed, followedAtMs: moment(dice) }],
    ),
  );

const sharesOf = (dice: Chance): ShareFact[] =>
  many(20, (id) => {
    const createdAtMs = moment(dice);
    return {
      id,
      user: 1 + dice.below(3),
      kind: dice.one(['song', 'album', 'artist'] as const),
      object: 3 + dice.below(10),
      download: dice.below(2) === 1,
      createdAtMs,
      expiresAtMs: dice.maybe(() => createdAtMs + (1 + dice.below(4)) * 50_000_000),
      visits: dice.below(3),
    };
  });

/** Some are called like playlists. */
const smartlistsOf = (dice: Chance, playlists: readonly PlaylistFact[]): SmartlistFact[] =>
  playlistsOf(dice).map(({ songs: _, ...list }) => {
    const like = dice.one(playlists);
    return {
      ...list,
      ...(dice.below(3) === 0 ? { name: like.name, owner: like.owner } : {}),
      limit: dice.below(3),
      isRandom: dice.below(2) === 1,
      lastCount: dice.below(3),
    };
  });

/** Some hold a song twice, and some what is gone. */
const playlistsOf = (dice: Chance): PlaylistFact[] =>
  many(16, (id) => {
    const createdAtMs = moment(dice);
    return {
      id,
      owner: dice.one([1, 2, 3, 5, null]),
      name: dice.name(),
      isPublic: dice.below(3) === 0,
      collaborators: dice.some([1, 2, 3], 1),
      createdAtMs,
      updatedAtMs: createdAtMs + dice.below(3) * DAY_MS,
      songs: many(dice.below(7), () => dice.one([1, 2, 3, 40, 77, 5000])),
    };
  });

const videosOf = (dice: Chance): VideoFact[] =>
  many(25, (id) => {
    const addedAtMs = moment(dice);
    return {
      id,
      catalog: 1 + dice.below(3),
      title: dice.name(),
      genres: dice.some([1, 2, 3], 2),
      durationMs: 1000 * dice.below(4),
      addedAtMs,
      updatedAtMs: addedAtMs + dice.below(3) * DAY_MS,
      codec: dice.maybe(() => dice.one(['h264', 'av1'])),
      widthPx: dice.one([640, 1920]),
      releaseDate: dice.maybe(() => dice.one(['1999', '2004-05', '2004-05-17'])),
    };
  });

const stationsOf = (dice: Chance): StationFact[] =>
  many(15, (id) => ({
    id,
    catalog: 1 + dice.below(3),
    name: dice.name(),
    url: `http://radio.example/${dice.one(['a', 'b', 'c'])}`,
    siteUrl: dice.maybe(() => dice.one(['http://b', 'http://a'])),
    codec: dice.maybe(() => dice.one(['mp3', 'aac'])),
  }));

const podcastsOf = (dice: Chance): PodcastFact[] =>
  many(9, (id) => {
    const addedAtMs = moment(dice);
    return {
      id,
      catalog: 1 + dice.below(3),
      title: dice.name(),
      websiteUrl: dice.maybe(() => dice.one(['https://b.example', 'https://a.example'])),
      addedAtMs,
      updatedAtMs: addedAtMs + dice.below(3) * DAY_MS,
    };
  });

const episodesOf = (dice: Chance, podcasts: readonly PodcastFact[]): EpisodeFact[] =>
  many(40, (id) => {
    // The last podcast has none.
    const podcast = dice.one(podcasts.slice(0, -1));
    const addedAtMs = moment(dice);
    return {
      id,
      podcast: podcast.id,
      catalog: podcast.catalog,
      title: dice.name(),
      author: dice.one(['', 'Ada', 'ada']),
      category: dice.one(['', 'News', 'Science']),
      publishedAtMs: moment(dice),
      durationMs: dice.maybe(() => 1000 * dice.below(4)),
      state: dice.one(['skipped', 'pending', 'downloading', 'completed', 'error', 'deleted']),
      addedAtMs,
      updatedAtMs: addedAtMs + dice.below(3) * DAY_MS,
    };
  });

const episodePlaysOf = (dice: Chance): EpisodePlaysFact[] =>
  [1, 2].flatMap((user) =>
    // One more than there are: a deleted one.
    dice.some(many(41, Number), 14).map((episode) => ({ episode, user, plays: 1 + dice.below(3), lastPlayedAtMs: moment(dice) })),
  );

/** A small library by chance; the same for the same seed. The first album and the first artist have no songs. */
export const randomFacts = (seed: number, songCount = 90): LibraryFacts => {
  const dice = chance(seed);
  const catalogs = many(3, (id) => ({
    id,
    name: dice.one(['Music', 'loud', 'The Attic']),
    type: 'local',
    gatherTypes: 'music',
    enabled: id !== 3,
    renamePattern: dice.maybe(() => '%a'),
    sortPattern: dice.maybe(() => '%b'),
    scannedAtMs: dice.maybe(() => moment(dice)),
  }));
  const roots = many(3, (id) => ({ id, catalog: id, parent: null, name: '', present: true }));
  const inner = many(9, (index) => {
    const parent = dice.one(roots);
    return { id: 3 + index, catalog: parent.catalog, parent: parent.id, name: dice.name(), present: dice.below(5) > 0 };
  });
  const folders = [...roots, ...inner];
  const artists = many(14, (id) => ({ id, name: dice.name(), addedAtMs: moment(dice) }));
  const albums = many(18, (id) =>
    albumFact(
      dice,
      id,
      artists.slice(1).map((artist) => artist.id),
    ),
  );
  const songs = many(songCount, (id) => songFact(dice, id, { albums, folders, artists }));
  const played = songs.filter(() => dice.below(2) === 1);
  const facts = {
    catalogs,
    folders,
    artists,
    albums,
    songs,
    genres: many(7, (id) => ({ id, name: dice.name(), hidden: id === 2 || id === 6 })),
    labels: many(5, (id) => ({ id, name: dice.name() })),
    licenses: many(4, (id) => ({ id, name: dice.name(), link: dice.one(['', 'http://b', 'http://a']) })),
    users: usersOf(dice),
    annotations: annotationsOf(dice, songs),
    plays: played.map(({ id }) => {
      const plays = dice.below(4);
      return { song: id, plays, skips: dice.below(3), lastPlayedAtMs: plays > 0 ? moment(dice) : null };
    }),
    deleted: many(8, (id) => ({ id: 1000 + id, catalog: 1 + dice.below(3), deletedAtMs: moment(dice) })),
    shares: sharesOf(dice),
    follows: followsOf(dice),
    videos: videosOf(dice),
    stations: stationsOf(dice),
    playlists: playlistsOf(dice),
  };
  const smartlists = smartlistsOf(dice, facts.playlists);
  const podcasts = podcastsOf(dice);
  return { ...facts, smartlists, podcasts, episodes: episodesOf(dice, podcasts), episodePlays: episodePlaysOf(dice) };
};
