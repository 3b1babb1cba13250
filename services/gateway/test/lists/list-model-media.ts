import { sortKey } from '@continuo/contracts';
import type { Viewer } from '../../src/reads/visibility/viewer.js';
import {
  type ModelRow,
  sum,
  sharing,
  type Keep,
  type Order,
  annotated,
  played,
  among,
  orNone,
  dates,
  placed,
  tagged,
  lower,
  listedAlbums,
  compareTexts,
} from './list-model-parts.js';
import type { AlbumFact, LibraryFacts, SongFact, StationFact, VideoFact } from '../library/random-facts.js';
import { diskNumber } from '../library/seed-rows.js';

/** A song as a row. */
export const songRow = (facts: LibraryFacts, viewer: Viewer, song: SongFact): ModelRow => {
  const title = sortKey(song.title);
  const album = facts.albums.find(({ id }) => id === song.album);
  const artist = facts.artists.find(({ id }) => id === song.artists[0]);
  const marks = annotated(facts, viewer, 'song', song.id);
  const plays = played(facts, [song]);
  const inAlbum = () => [album ? sortKey(album.name) : '', song.album, song.disk, song.track];
  return {
    id: song.id,
    names: [song.title],
    key: title,
    keep: {
      ...dates(song.addedAtMs, song.updatedAtMs),
      ...placed(facts, [song.catalog]),
      ...tagged(song.genres),
      ...marks.keep,
      ...plays.keep,
      album: among([song.album]),
      album_disk: among([song.album * 256 + diskNumber(song)]),
      artist: among(song.artists),
      top50: among(song.artists),
      disk: among([song.disk]),
      enabled: (value) => value === 1,
      license: among([song.license]),
      mood: among(song.moods),
    },
    order: {
      ...marks.order,
      ...plays.order,
      title: () => [title],
      name: () => [title],
      addition_time: () => [song.addedAtMs],
      update_time: () => [song.updatedAtMs],
      album: inAlbum,
      album_disk: inAlbum,
      artist: () => [artist ? sortKey(artist.name) : '', title],
      catalog: () => [song.catalog, title],
      composer: () => [lower(song.composer)],
      object_count: plays.order['total_count'] ?? (() => []),
      time: () => [song.durationMs],
      total_skip: () => [facts.plays.find((fact) => fact.song === song.id)?.skips ?? 0],
      track: () => [song.track],
      year: () => [song.year, song.addedAtMs],
    },
  };
};

const albumOrders = (facts: LibraryFacts, album: AlbumFact, songs: readonly SongFact[]): Order => {
  const name = sortKey(album.name);
  const [first] = album.artists.map((id) => facts.artists.find((artist) => artist.id === id)?.name ?? '');
  const artist = first === undefined ? '' : sortKey(first);
  const songArtists = sharing(
    songs.flatMap((song) => song.artists),
    facts.artists,
  ).map((one) => sortKey(one.name));
  const generic = first === undefined ? (songArtists.toSorted(compareTexts)[0] ?? '') : artist;
  return {
    name: () => [name],
    title: () => [name],
    name_year: () => [name, album.year],
    name_original_year: () => [name, album.originalYear ?? album.year],
    album_artist: () => [artist, name],
    album_artist_title: () => [artist, name],
    artist: () => [artist, name],
    album_artist_album_sort: () => [artist, name, album.year],
    generic_artist: () => [generic, name],
    barcode: () => [album.barcode ?? ''],
    catalog_number: () => [album.catalogNumber ?? ''],
    disk_count: () => [new Set(songs.map(({ disk }) => disk)).size],
    original_year: () => [album.originalYear ?? album.year],
    release_status: () => [lower(album.releaseStatus)],
    release_type: () => [lower(album.releaseType)],
    version: () => [lower(album.version)],
    catalog: () => [album.catalog, name],
  };
};

const albumKeeps = (facts: LibraryFacts, album: AlbumFact, albumSongs: readonly SongFact[], songs: readonly SongFact[]): Keep => {
  const songArtists = songs.flatMap(({ artists }) => artists);
  return {
    ...placed(facts, [album.catalog]),
    ...tagged(albumSongs.flatMap(({ genres }) => genres)),
    album_artist: orNone(album.artists),
    song_artist: orNone(songArtists),
    artist: among([...album.artists, ...songArtists]),
  };
};

const times = (songs: readonly SongFact[]): [number, number] => [
  Math.min(...songs.map(({ addedAtMs }) => addedAtMs)),
  Math.max(...songs.map(({ updatedAtMs }) => updatedAtMs)),
];

/** An album with songs as a row. */
export const albumRow = (facts: LibraryFacts, viewer: Viewer, album: AlbumFact): ModelRow => {
  const songs = facts.songs.filter((song) => song.album === album.id);
  const [added, updated] = times(songs);
  const marks = annotated(facts, viewer, 'album', album.id);
  const plays = played(facts, songs);
  return {
    id: album.id,
    names: [album.name],
    key: sortKey(album.name),
    keep: {
      ...dates(added, updated),
      ...albumKeeps(facts, album, songs, songs),
      ...marks.keep,
      ...plays.keep,
      mood: among(songs.flatMap(({ moods }) => moods)),
    },
    order: {
      ...albumOrders(facts, album, songs),
      ...marks.order,
      ...plays.order,
      addition_time: () => [added],
      song_count: () => [songs.length],
      time: () => [sum(songs.map(({ durationMs }) => durationMs))],
      year: () => [album.year, added],
    },
  };
};

/** The disks of an album as rows. */
export const diskRows = (facts: LibraryFacts, viewer: Viewer, album: AlbumFact): ModelRow[] => {
  const albumSongs = facts.songs.filter((song) => song.album === album.id);
  return [...new Set(albumSongs.map(diskNumber))].map((disk) => {
    const id = album.id * 256 + disk;
    const songs = albumSongs.filter((song) => diskNumber(song) === disk);
    const [added, updated] = times(songs);
    const marks = annotated(facts, viewer, 'album_disk', id);
    const plays = played(facts, songs);
    return {
      id,
      names: [album.name],
      key: sortKey(album.name),
      keep: {
        ...dates(added, updated),
        ...albumKeeps(facts, album, albumSongs, songs),
        ...marks.keep,
        ...plays.keep,
        album: among([album.id]),
      },
      order: {
        ...albumOrders(facts, album, albumSongs),
        ...marks.order,
        ...plays.order,
        addition_time: () => [added],
        album_id: () => [album.id],
        disk: () => [disk],
        disksubtitle: () => [lower(album.diskSubtitles[disk] ?? null)],
        song_count: () => [songs.length],
        time: () => [sum(songs.map(({ durationMs }) => durationMs))],
        year: () => [album.year, added],
      },
    };
  });
};

/** An artist as a row; none when nothing credits it. */
export const artistRow = (facts: LibraryFacts, viewer: Viewer, artist: LibraryFacts['artists'][number]): ModelRow[] => {
  const songs = facts.songs.filter(({ artists }) => artists.includes(artist.id));
  const albums = listedAlbums(facts).filter(({ artists }) => artists.includes(artist.id));
  if (songs.length + albums.length === 0) return [];
  const marks = annotated(facts, viewer, 'artist', artist.id);
  const plays = played(facts, songs);
  const key = sortKey(artist.name);
  const updated = songs.length === 0 ? undefined : times(songs)[1];
  return [
    {
      id: artist.id,
      names: [artist.name],
      key,
      keep: {
        ...dates(artist.addedAtMs, updated),
        ...placed(
          facts,
          [...songs, ...albums].map(({ catalog }) => catalog),
        ),
        ...tagged(songs.flatMap(({ genres }) => genres)),
        ...marks.keep,
        ...plays.keep,
        album_artist: (value) => (value === 1) === albums.length > 0,
        song_artist: (value) => (value === 1) === songs.length > 0,
        label: among(albums.flatMap(({ labels }) => labels)),
        mood: among(songs.flatMap(({ moods }) => moods)),
      },
      order: {
        ...marks.order,
        ...plays.order,
        name: () => [key],
        title: () => [key],
        addition_time: () => [artist.addedAtMs],
        album_count: () => [albums.length],
        song_count: () => [songs.length],
        time: () => [sum(songs.map(({ durationMs }) => durationMs))],
      },
    },
  ];
};

/** A video as a row. Plays of videos are not counted. */
export const videoRow = (facts: LibraryFacts, viewer: Viewer, video: VideoFact): ModelRow => {
  const title = sortKey(video.title);
  const marks = annotated(facts, viewer, 'video', video.id);
  return {
    id: video.id,
    names: [video.title],
    key: title,
    keep: {
      ...dates(video.addedAtMs, video.updatedAtMs),
      ...placed(facts, [video.catalog]),
      ...tagged(video.genres),
      ...marks.keep,
      mood: among([]),
    },
    order: {
      ...marks.order,
      title: () => [title],
      name: () => [title],
      addition_time: () => [video.addedAtMs],
      update_time: () => [video.updatedAtMs],
      catalog: () => [video.catalog, title],
      codec: () => [video.codec ?? ''],
      length: () => [video.durationMs],
      release_date: () => [video.releaseDate ?? ''],
      resolution: () => [video.widthPx],
    },
  };
};

/** A radio station as a row. */
export const stationRow = (facts: LibraryFacts, viewer: Viewer, station: StationFact): ModelRow => {
  const name = sortKey(station.name);
  const marks = annotated(facts, viewer, 'live_stream', station.id);
  return {
    id: station.id,
    names: [station.name],
    key: name,
    keep: { ...placed(facts, [station.catalog]), ...marks.keep },
    order: {
      ...marks.order,
      name: () => [name],
      title: () => [name],
      catalog: () => [station.catalog, name],
      codec: () => [station.codec ?? ''],
      site_url: () => [station.siteUrl ?? ''],
      url: () => [station.url],
    },
  };
};
