import { numberCode } from '../../src/search/operators.js';
import type { SearchRule } from '../../src/search/rule.js';
import { ruleNamed, type SearchType } from '../../src/search/search-types.js';
import { holdsForPodcasts } from './podcast-model.fixture.js';
import type { Album, Artist, Playlist, Song, VisibleLibrary } from './library-model.fixture.js';
import { holdsForNumbers, holdsForTexts, type Text } from './text-model.fixture.js';

/*
 * Evaluates every rule row by row: the oracle of the compiled rules.
 */

type Row = { readonly id: number };
type Values = readonly (number | null)[];

/** One thing under one rule. */
interface Asked {
  readonly library: VisibleLibrary;
  readonly type: SearchType;
  readonly row: Row;
  readonly rule: SearchRule;
  readonly nowMs: number;
}

const kindOf = (type: SearchType): 'song' | 'album' | 'album_disk' | 'artist' =>
  type === 'song' || type === 'album' || type === 'album_disk' ? type : 'artist';

const songsOf = ({ library, type, row }: Asked): readonly Song[] => library.songsOf(type, row);
const albumsOf = ({ library, type, row }: Asked): readonly Album[] => library.albumsOf(type, row);
const artistsOf = ({ library, type, row }: Asked): readonly Artist[] => library.artistsOf(type, row);
const songArtists = (asked: Asked): readonly Artist[] =>
  kindOf(asked.type) === 'artist'
    ? [asked.row as Artist]
    : asked.library.artists(songsOf(asked).flatMap((song) => [...asked.library.songArtistIds(song)]));
const ownName = (asked: Asked): Text[] => {
  const { library } = asked;
  if (asked.type === 'song') return library.songNames(songsOf(asked));
  return library.names(kindOf(asked.type) === 'artist' ? artistsOf(asked) : albumsOf(asked));
};

const genreIds = (asked: Asked, kind: 'song' | 'album' | 'artist'): number[] => {
  const { rows } = asked.library;
  const ids = (things: readonly Row[]): Set<number> => new Set(things.map(({ id }) => id));
  if (kind === 'song') return rows.songGenres.filter((link) => ids(songsOf(asked)).has(link.song_id)).map(({ genre_id }) => genre_id);
  if (kind === 'album') return rows.albumGenres.filter((link) => ids(albumsOf(asked)).has(link.album_id)).map(({ genre_id }) => genre_id);
  return rows.artistGenres.filter((link) => ids(artistsOf(asked)).has(link.artist_id)).map(({ genre_id }) => genre_id);
};
const ownGenres = (asked: Asked): number[] => {
  const kind = kindOf(asked.type);
  return genreIds(asked, kind === 'album_disk' ? 'album' : kind);
};

const plain = (values: readonly (string | null)[]): Text[] => values.map((name) => ({ name }));

const texts: Readonly<Record<string, (asked: Asked) => readonly Text[]>> = {
  title: ownName,
  song: (asked) => asked.library.songNames(songsOf(asked)),
  album: (asked) => asked.library.names(albumsOf(asked)),
  song_artist: (asked) => asked.library.names(songArtists(asked)),
  album_artist: (asked) => {
    const { library } = asked;
    return library.names(library.artists(albumsOf(asked).flatMap(({ id }) => [...library.albumArtistIds(id)])));
  },
  anywhere: (asked) => {
    const { library } = asked;
    const [song] = songsOf(asked) as readonly [Song];
    const others = [
      ownName(asked),
      library.names(albumsOf(asked)),
      library.names(artistsOf(asked)),
      library.names(library.genres(ownGenres(asked))),
    ];
    return [...plain([song.file_name, song.comment, song.publisher]), ...others.flat()];
  },
  composer: ({ row }) => plain([(row as Song).composer]),
  label: ({ row }) => plain([(row as Song).publisher]),
  comment: ({ row }) => plain([(row as Song).comment]),
  lyrics: ({ library, row }) => library.lyricsOf(row as Song),
  genre: (asked) => asked.library.names(asked.library.genres(ownGenres(asked))),
  song_genre: (asked) => asked.library.names(asked.library.genres(genreIds(asked, 'song'))),
  album_genre: (asked) => asked.library.names(asked.library.genres(genreIds(asked, 'album'))),
  artist_genre: (asked) => asked.library.names(asked.library.genres(genreIds(asked, 'artist'))),
  mood: (asked) => asked.library.moodNames(songsOf(asked)),
  playlist_name: (asked) => asked.library.names(asked.library.listsWith(asked.library.playlists, songsOf(asked))),
  file: (asked) => {
    const { library, type, row } = asked;
    if (type !== 'video') return plain(songsOf(asked).map((song) => library.fullPath(song)));
    const video = library.videos.find(({ id }) => id === row.id);
    return plain(video ? [`${library.catalogPath(video)}/${video.path}`] : []);
  },
  mbid: (asked) => plain([(asked.type === 'album_disk' ? albumsOf(asked)[0] : (asked.row as Song))?.mbid ?? null]),
  mbid_song: (asked) => plain(songsOf(asked).map(({ mbid }) => mbid)),
  mbid_album: (asked) => plain(albumsOf(asked).map(({ mbid }) => mbid)),
  mbid_artist: (asked) => plain(artistsOf(asked).map(({ mbid }) => mbid)),
  release_type: (asked) => plain(albumsOf(asked).map((album) => album.release_type)),
  release_status: (asked) => plain(albumsOf(asked).map((album) => album.release_status)),
  version: (asked) => plain(albumsOf(asked).map((album) => album.version)),
  barcode: (asked) => plain(albumsOf(asked).map((album) => album.barcode)),
  catalog_number: (asked) => plain(albumsOf(asked).map((album) => album.catalog_number)),
  summary: () => [],
  placeformed: () => [],
  category: () => plain(['tag_generated']),
  name: (asked) => [...(texts['username']?.(asked) ?? []), ...(texts['fullname']?.(asked) ?? []), ...(texts['email']?.(asked) ?? [])],
  username: ({ row }) => plain([(row as unknown as { username: string }).username]),
  fullname: ({ library, row }) => {
    const user = library.rows.users.find(({ id }) => id === row.id);
    const isShown = user?.full_name_public === true || library.viewer.isAdministrator === true || row.id === library.viewer.userId;
    return plain([isShown ? (user?.full_name ?? null) : null]);
  },
  email: ({ library, row }) => {
    const isShown = library.viewer.isAdministrator === true || row.id === library.viewer.userId;
    return plain([isShown ? (library.rows.users.find(({ id }) => id === row.id)?.email ?? null) : null]);
  },
};
const named: Readonly<Partial<Record<SearchType, (asked: Asked) => readonly Text[]>>> = {
  label: ({ library, row }) => library.names([row as never]),
  genre: ({ library, row }) => library.names([row as never]),
  playlist: ({ library, row }) => library.names([row as never]),
};
const OPTIONAL = new Set(['label', 'comment', 'lyrics', 'mbid', 'mbid_song', 'mbid_album', 'mbid_artist']);

const ratingOf = ({ library }: Asked, kind: string, id: number, userId = library.viewer.userId): number | null =>
  library.rows.ratings.find((one) => one.user_id === userId && one.kind === kind && one.object_id === id)?.rating ?? null;
const isFlagged = ({ library }: Asked, kind: string, id: number, userId = library.viewer.userId): boolean =>
  library.rows.flags.some((one) => one.user_id === userId && one.kind === kind && one.object_id === id);

interface Plays {
  readonly play_count: number;
  readonly skip_count: number;
  readonly last_played_at_ms: number | null;
  readonly last_skipped_at_ms: number | null;
}
const playsOf = ({ library }: Asked, songs: readonly Song[], isMine: boolean): Plays[] => {
  const { plays, userPlays } = library.rows;
  const rows = isMine ? userPlays.filter(({ user_id }) => user_id === library.viewer.userId) : plays;
  return rows.filter(({ song_id }) => songs.some(({ id }) => id === song_id));
};
const total = (rows: readonly Plays[], value: (row: Plays) => number): number => rows.reduce((sum, row) => sum + value(row), 0);
const PLAYED = (row: Plays): number => row.play_count;
const SKIPPED = (row: Plays): number => row.skip_count;
const BOTH = (row: Plays): number => row.play_count + row.skip_count;

const popularity = (asked: Asked, kind: 'song' | 'album' | 'artist', id: number): number => {
  const { rows } = asked.library;
  const heard = playsOf(asked, asked.library.songsOf(kind, rows[`${kind}s`].find((one) => one.id === id) ?? { id }), false);
  const average = rows.averages.find((one) => one.kind === kind && one.object_id === id);
  const flags = rows.flags.filter((one) => one.kind === kind && one.object_id === id).length;
  return total(heard, PLAYED) - total(heard, SKIPPED) + 5 * flags + (average?.rating_sum ?? 0);
};

const seconds = (durationMs: number): number => Math.round(durationMs / 1000);
const own =
  (name: string) =>
  (asked: Asked): Values => [(asked.row as unknown as Record<string, number | null>)[name] ?? null];
const ofAlbum =
  (name: 'year' | 'original_year' | 'disk_count') =>
  (asked: Asked): Values =>
    albumsOf(asked).map((album) => album[name]);
const artOf = (asked: Asked): readonly (string | null)[] =>
  (kindOf(asked.type) === 'artist' ? artistsOf(asked) : albumsOf(asked)).map(({ art_hash: hash }) => hash);
const sizes =
  (name: 'width_px' | 'height_px') =>
  (asked: Asked): Values =>
    // Art of unknown size is neither wider nor narrower than anything.
    artOf(asked).flatMap((hash) => asked.library.rows.art.find((one) => one.hash === hash)?.[name] ?? []);

/** Counts songs, albums and artists of a genre: stored counts for viewers of all catalogs, visible ones for others. */
const carriers = ({ library }: Asked, genreId: number): { songs: number; albums: number; artists: number } => {
  const [genre] = library.viewer.catalogs === 'all' ? library.genres([genreId]) : [];
  if (genre) return { songs: genre.song_count, albums: genre.album_count, artists: genre.artist_count };
  const ids = new Set(library.rows.songGenres.filter((link) => link.genre_id === genreId).map(({ song_id }) => song_id));
  const songs = library.songs.filter(({ id }) => ids.has(id));
  const artists = new Set(songs.flatMap((song) => [...library.songArtistIds(song)]));
  return { songs: songs.length, albums: new Set(songs.map(({ album_id }) => album_id)).size, artists: artists.size };
};

const numbers: Readonly<Record<string, (asked: Asked) => Values>> = {
  id: own('id'),
  track: own('track'),
  year: (asked) => (asked.type === 'song' ? own('year')(asked) : ofAlbum('year')(asked)),
  original_year: ofAlbum('original_year'),
  time: (asked) => {
    const { duration_ms: durationMs } = asked.row as Song;
    return [seconds(kindOf(asked.type) === 'artist' ? songsOf(asked).reduce((sum, song) => sum + song.duration_ms, 0) : durationMs)];
  },
  bpm: own('bpm'),
  bitrate: own('bitrate_bps'),
  disk_count: ofAlbum('disk_count'),
  song_count: (asked) => {
    if (asked.type === 'genre') return [carriers(asked, asked.row.id).songs];
    return kindOf(asked.type) === 'artist' ? [songsOf(asked).length] : own('song_count')(asked);
  },
  album_count: (asked) => {
    if (asked.type === 'genre') return [carriers(asked, asked.row.id).albums];
    return [asked.library.albums.filter(({ id }) => asked.library.albumArtistIds(id).includes(asked.row.id)).length];
  },
  artist_count: (asked) => [carriers(asked, asked.row.id).artists],
  video_count: ({ library, row }) => {
    const ids = new Set(library.rows.videoGenres.filter((link) => link.genre_id === row.id).map(({ video_id }) => video_id));
    return [library.videos.filter(({ id }) => ids.has(id)).length];
  },
  yearformed: () => [0],
  myrating: (asked) => [ratingOf(asked, kindOf(asked.type), asked.row.id) ?? 0],
  rating: (asked) => {
    const average = asked.library.rows.averages.find((one) => one.kind === kindOf(asked.type) && one.object_id === asked.row.id);
    return [average ? Math.round(average.rating_sum / average.rating_count) : 0];
  },
  songrating: (asked) => songsOf(asked).map(({ id }) => ratingOf(asked, 'song', id) ?? 0),
  albumrating: (asked) => albumsOf(asked).map(({ id }) => ratingOf(asked, 'album', id) ?? 0),
  artistrating: (asked) => artistsOf(asked).map(({ id }) => ratingOf(asked, 'artist', id) ?? 0),
  weight_song: (asked) => songsOf(asked).map(({ id }) => popularity(asked, 'song', id)),
  weight_album: (asked) => albumsOf(asked).map(({ id }) => popularity(asked, 'album', id)),
  weight_artist: (asked) => artistsOf(asked).map(({ id }) => popularity(asked, 'artist', id)),
  played_times: (asked) => [total(playsOf(asked, songsOf(asked), false), PLAYED)],
  skipped_times: (asked) => [total(playsOf(asked, songsOf(asked), false), SKIPPED)],
  played_or_skipped_times: (asked) => [total(playsOf(asked, songsOf(asked), false), BOTH)],
  play_skip_ratio: (asked) => {
    const rows = playsOf(asked, songsOf(asked), false);
    const skips = total(rows, SKIPPED);
    return skips === 0 ? [] : [(total(rows, PLAYED) * 100) / skips];
  },
  myplayed_times: (asked) => [total(playsOf(asked, songsOf(asked), true), PLAYED)],
  myskipped_times: (asked) => [total(playsOf(asked, songsOf(asked), true), SKIPPED)],
  myplayed_or_skipped_times: (asked) => [total(playsOf(asked, songsOf(asked), true), BOTH)],
  genre_count_song: (asked) => ownGenres(asked).map((id) => carriers(asked, id).songs),
  genre_count_album: (asked) => ownGenres(asked).map((id) => carriers(asked, id).albums),
  genre_count_artist: (asked) => ownGenres(asked).map((id) => carriers(asked, id).artists),
  image_width: sizes('width_px'),
  image_height: sizes('height_px'),
};
const FACTORS: Readonly<Record<string, number>> = { time: 60, bitrate: 1000 };

const credits = (ids: readonly number[]): string => ids.toSorted((a, b) => a - b).join();
const looksDuplicated = ({ library }: Asked, album: Album): boolean =>
  library.albums.some(
    (other) =>
      other.id !== album.id &&
      library.albums.includes(album) &&
      other.name_sort === album.name_sort &&
      credits(library.albumArtistIds(other.id)) === credits(library.albumArtistIds(album.id)),
  );
const clashes = ({ library }: Asked, song: Song): boolean =>
  song.track > 0 &&
  library.songs.some(
    (other) => other.id !== song.id && other.album_id === song.album_id && other.disk === song.disk && other.track === song.track,
  );

const isTwin = (asked: Asked): boolean => {
  const { library, row } = asked;
  if (kindOf(asked.type) === 'artist')
    return library.all('artist').some((other) => other.id !== row.id && (other as Artist).name_sort === (row as Artist).name_sort);
  if (asked.type !== 'song') return albumsOf(asked).some((album) => looksDuplicated(asked, album));
  const song = row as Song;
  return library.songs.some(
    (other) =>
      other.id !== song.id &&
      other.title_sort === song.title_sort &&
      credits(library.songArtistIds(other)) === credits(library.songArtistIds(song)),
  );
};

/** Rules that simply hold or not. */
const facts: Readonly<Record<string, (asked: Asked) => boolean>> = {
  none: () => true,
  my_flagged_song: (asked) => songsOf(asked).some(({ id }) => isFlagged(asked, 'song', id)),
  my_flagged_album: (asked) => albumsOf(asked).some(({ id }) => isFlagged(asked, 'album', id)),
  my_flagged_artist: (asked) => artistsOf(asked).some(({ id }) => isFlagged(asked, 'artist', id)),
  played: (asked) => total(playsOf(asked, songsOf(asked), false), PLAYED) > 0,
  myplayed: (asked) => total(playsOf(asked, songsOf(asked), true), PLAYED) > 0,
  myplayedalbum: (asked) => albumsOf(asked).some((album) => total(playsOf(asked, asked.library.songsOf('album', album), true), PLAYED) > 0),
  myplayedartist: (asked) =>
    artistsOf(asked).some((artist) => total(playsOf(asked, asked.library.songsOf('artist', artist), true), PLAYED) > 0),
  no_genre: (asked) => ownGenres(asked).length === 0,
  no_license: ({ row }) => (row as Song).license_id === null,
  possible_duplicate: isTwin,
  possible_duplicate_album: (asked) => albumsOf(asked).some((album) => looksDuplicated(asked, album)),
  duplicate_tracks: (asked) => songsOf(asked).some((song) => clashes(asked, song)),
  duplicate_mbid_group: (asked) =>
    albumsOf(asked).some(
      ({ id, mbid_group: group }) => group !== null && asked.library.albums.some((other) => other.id !== id && other.mbid_group === group),
    ),
  orphaned_album: (asked) => albumsOf(asked).length === 0,
  waveform: () => false,
  has_image: (asked) => artOf(asked).some((hash) => hash !== null),
};

const last = (asked: Asked, moments: (row: Plays) => readonly (number | null)[]): number | null => {
  const known = playsOf(asked, songsOf(asked), true).flatMap((row) => moments(row).filter((atMs) => atMs !== null));
  return known.length === 0 ? null : Math.max(...known);
};
const moments: Readonly<Record<string, (asked: Asked) => number | null>> = {
  last_play: (asked) => last(asked, (row) => [row.last_played_at_ms]),
  last_skip: (asked) => last(asked, (row) => [row.last_skipped_at_ms]),
  last_play_or_skip: (asked) => last(asked, (row) => [row.last_played_at_ms, row.last_skipped_at_ms]),
  days_added: ({ row }) => (row as Song).added_at_ms,
  days_updated: ({ row }) => (row as Song).updated_at_ms,
  added: ({ row }) => (row as Song).added_at_ms,
  updated: ({ row }) => (row as Song).updated_at_ms,
};

const among = (asked: Asked, rows: readonly Row[], value: (row: never) => number): boolean => {
  const newest = rows
    .toSorted((a, b) => value(b as never) - value(a as never) || b.id - a.id)
    .slice(0, Math.max(0, Math.trunc(Number(asked.rule.input))));
  return newest.some(({ id }) => id === asked.row.id);
};
const recentlyPlayed = (asked: Asked): boolean => {
  const plays = asked.library.rows.playLog.filter(({ skipped }) => !skipped).toSorted((a, b) => b.id - a.id);
  const heard = new Set(plays.slice(0, Math.max(0, Math.trunc(Number(asked.rule.input)))).map(({ song_id }) => song_id));
  return songsOf(asked).some(({ id }) => heard.has(id));
};
const everySeen = ({ library, type }: Asked): readonly Row[] =>
  type === 'album'
    ? library.rows.albums.filter(({ catalog_id: id }) => library.viewer.catalogs === 'all' || library.viewer.catalogs.includes(id))
    : library.all(type);

const specials: Readonly<Record<string, (asked: Asked) => boolean>> = {
  favorite: (asked) =>
    isFlagged(asked, kindOf(asked.type), asked.row.id) && holdsForTexts(asked.rule.operator, asked.rule.input, ownName(asked)),
  favorite_album: (asked) =>
    albumsOf(asked).some(
      (album) => isFlagged(asked, 'album', album.id) && holdsForTexts(asked.rule.operator, asked.rule.input, asked.library.names([album])),
    ),
  favorite_artist: (asked) =>
    artistsOf(asked).some(
      (artist) =>
        isFlagged(asked, 'artist', artist.id) && holdsForTexts(asked.rule.operator, asked.rule.input, asked.library.names([artist])),
    ),
  other_user: (asked) => thinks(asked, kindOf(asked.type), asked.row.id),
  other_user_album: (asked) => albumsOf(asked).some(({ id }) => thinks(asked, 'album', id)),
  other_user_artist: (asked) => artistsOf(asked).some(({ id }) => thinks(asked, 'artist', id)),
  recent_played: recentlyPlayed,
  recent_added: (asked) => among(asked, everySeen(asked), (row: Song) => row.added_at_ms),
  recent_updated: (asked) => among(asked, everySeen(asked), (row: Song) => row.updated_at_ms),
  license: ({ row, rule }) => ((row as Song).license_id === Number(rule.input)) === (rule.operator === 'equal'),
  playlist: (asked) => {
    const { library, rule } = asked;
    const opened = library.viewer.isAdministrator === true ? library.rows.playlists : library.playlists;
    const isIn = library.listsWith(opened, songsOf(asked)).some(({ id }) => id === Number(rule.input));
    return isIn === (rule.operator === 'equal');
  },
  owner: ({ row, rule }) => ((row as Playlist).owner_id === Number(rule.input)) === (rule.operator === 'equal'),
  type: ({ row, rule }) => ((row as Playlist).is_public === (Number(rule.input) !== 1)) === (rule.operator === 'equal'),
  smartplaylist: ({ rule }) => rule.operator === 'ne',
  catalog: ({ library, type, row, rule }) => {
    const id = Number(rule.input);
    const isHidden = library.viewer.catalogs !== 'all' && !library.viewer.catalogs.includes(id);
    const isIn =
      kindOf(type) === 'artist'
        ? !isHidden && library.rows.artistCatalogs.some((one) => one.artist_id === row.id && one.catalog_id === id)
        : (row as Song).catalog_id === id;
    return isIn === (rule.operator === 'equal');
  },
  metadata: ({ library, row, rule }) => {
    const value = library.extraTag(row as Song, rule.subtype ?? '');
    const code = numberCode(rule.operator);
    if (code === undefined) return holdsForTexts(rule.operator, rule.input, plain([value]));
    return holdsForNumbers(code, Number(rule.input), [
      value !== null && /^\s*[+-]?\d{1,15}(\.\d{1,9})?\s*$/.test(value) ? Number(value) : null,
    ]);
  },
};

const thinks = (asked: Asked, kind: string, id: number): boolean => {
  const userId = Number(asked.rule.input);
  const rating = ratingOf(asked, kind, id, userId);
  if (asked.rule.operator === 'love') return isFlagged(asked, kind, id, userId);
  return asked.rule.operator === 'unrated' ? rating === null : rating === Number(asked.rule.operator.charAt(0));
};

const DAY_MS = 86_400_000;

const momentHolds = (asked: Asked, atMs: number | null, isDays: boolean): boolean => {
  const cutMs = isDays ? asked.nowMs - Number(asked.rule.input) * DAY_MS : Date.parse(asked.rule.input);
  if (atMs === null) return false;
  if (asked.rule.operator === 'lt') return atMs < cutMs;
  return isDays ? atMs >= cutMs : atMs > cutMs;
};

const holds = (asked: Asked): boolean => {
  const { type, rule } = asked;
  if (type === 'podcast' || type === 'podcast_episode') return holdsForPodcasts({ ...asked, type });
  const { name, operator, input } = rule;
  const family = ruleNamed(type, name)?.family;
  const special = specials[name];
  if (special) return special(asked);
  if (family === 'text') {
    const found = (name === 'title' ? named[type] : undefined) ?? texts[name];
    if (!found) throw new Error(`the model does not know ${type} ${name}`);
    return holdsForTexts(operator, input, found(asked), OPTIONAL.has(name));
  }
  if (family === 'numeric') {
    const values = numbers[name];
    if (!values) throw new Error(`the model does not know ${type} ${name}`);
    return holdsForNumbers(operator, Number(input) * (FACTORS[name] ?? 1), values(asked));
  }
  const moment = moments[name];
  if (moment) return momentHolds(asked, moment(asked), family === 'days');
  const fact = facts[name];
  if (!fact) throw new Error(`the model does not know ${type} ${name}`);
  return fact(asked) === (operator === 'true');
};

/** The ids of everything for which the rules hold, in the type's order. */
export const foundByModel = (
  library: VisibleLibrary,
  type: SearchType,
  rules: readonly SearchRule[],
  { logic, nowMs }: { readonly logic: 'and' | 'or'; readonly nowMs: number },
): number[] => {
  const one = (row: Row) => (rule: SearchRule) => holds({ library, type, row, rule, nowMs });
  return library
    .all(type)
    .filter((row) => (logic === 'or' ? rules.some(one(row)) : rules.every(one(row))))
    .map(({ id }) => id);
};
