import type { ReadModel, SongDocument } from '@continuo/contracts';
import type { Selectable } from 'kysely';
import type { ReadDatabase } from '../../src/reads/database/database.js';
import type { Viewer } from '../../src/reads/visibility/viewer.js';
import type { SearchType } from '../../src/search/search-types.js';
import type { Text } from './text-model.fixture.js';

type Rows<N extends keyof ReadModel> = readonly Selectable<ReadModel[N]>[];
export type Song = Rows<'library.song'>[number];
export type Album = Rows<'library.album'>[number];
export type Artist = Rows<'library.artist'>[number];
export type Video = Rows<'library.video'>[number];
export type Disk = Rows<'library.album_disk'>[number];
export type Podcast = Rows<'library.podcast'>[number];
export type Episode = Rows<'library.podcast_episode'>[number];
export type Playlist = Rows<'library.playlist'>[number];

/** Every row that a search may look at. */
export interface LibraryRows {
  readonly catalogs: Rows<'library.catalog'>;
  readonly folders: Rows<'library.folder'>;
  readonly songs: Rows<'library.song'>;
  readonly albums: Rows<'library.album'>;
  readonly disks: Rows<'library.album_disk'>;
  readonly artists: Rows<'library.artist'>;
  readonly labels: Rows<'library.label'>;
  readonly genres: Rows<'library.genre'>;
  readonly moods: Rows<'library.mood'>;
  readonly users: Rows<'social.user'>;
  readonly art: Rows<'library.art'>;
  readonly songArtists: Rows<'library.song_artist'>;
  readonly albumArtists: Rows<'library.album_artist'>;
  readonly artistCatalogs: Rows<'library.artist_catalog'>;
  readonly albumLabels: Rows<'library.album_label'>;
  readonly songGenres: Rows<'library.song_genre'>;
  readonly albumGenres: Rows<'library.album_genre'>;
  readonly artistGenres: Rows<'library.artist_genre'>;
  readonly songMoods: Rows<'library.song_mood'>;
  readonly lyrics: Rows<'library.song_lyrics'>;
  readonly ratings: Rows<'social.rating'>;
  readonly averages: Rows<'social.rating_average'>;
  readonly flags: Rows<'social.user_flag'>;
  readonly plays: Rows<'playback.song_plays'>;
  readonly userPlays: Rows<'playback.user_song_plays'>;
  readonly playLog: Rows<'playback.play'>;
  readonly videos: Rows<'library.video'>;
  readonly videoGenres: Rows<'library.video_genre'>;
  readonly playlists: Rows<'library.playlist'>;
  readonly playlistMembers: Rows<'library.playlist_member'>;
  readonly podcasts: Rows<'library.podcast'>;
  readonly episodes: Rows<'library.podcast_episode'>;
  readonly mediaPlays: Rows<'playback.media_plays'>;
}

const tables: Readonly<Record<keyof LibraryRows, keyof ReadModel>> = {
  catalogs: 'library.catalog',
  folders: 'library.folder',
  songs: 'library.song',
  albums: 'library.album',
  disks: 'library.album_disk',
  artists: 'library.artist',
  labels: 'library.label',
  genres: 'library.genre',
  moods: 'library.mood',
  users: 'social.user',
  art: 'library.art',
  songArtists: 'library.song_artist',
  albumArtists: 'library.album_artist',
  artistCatalogs: 'library.artist_catalog',
  albumLabels: 'library.album_label',
  songGenres: 'library.song_genre',
  albumGenres: 'library.album_genre',
  artistGenres: 'library.artist_genre',
  songMoods: 'library.song_mood',
  lyrics: 'library.song_lyrics',
  ratings: 'social.rating',
  averages: 'social.rating_average',
  flags: 'social.user_flag',
  plays: 'playback.song_plays',
  userPlays: 'playback.user_song_plays',
  playLog: 'playback.play',
  videos: 'library.video',
  videoGenres: 'library.video_genre',
  playlists: 'library.playlist',
  playlistMembers: 'library.playlist_member',
  podcasts: 'library.podcast',
  episodes: 'library.podcast_episode',
  mediaPlays: 'playback.media_plays',
};

/** Reads everything: the library is small. */
export const readLibrary = async (db: ReadDatabase): Promise<LibraryRows> => {
  const read = Object.entries(tables).map(async ([name, table]) => [name, await db.selectFrom(table).selectAll().execute()] as const);
  return Object.fromEntries(await Promise.all(read)) as unknown as LibraryRows;
};

const MAX_DISK = 255;
const ofSong = (song: Song): Text => ({ name: song.title, key: song.title_sort });
const named = (row: { readonly name: string; readonly name_sort: string }): Text => ({ name: row.name, key: row.name_sort });

/** The library as one viewer sees it: rows of other catalogs are not there at all. */
export class VisibleLibrary {
  readonly songs: readonly Song[];
  readonly albums: readonly Album[];
  readonly videos: readonly Video[];

  constructor(
    readonly rows: LibraryRows,
    readonly viewer: Viewer,
  ) {
    this.songs = rows.songs.filter(this.isSeen);
    this.videos = rows.videos.filter(this.isSeen);
    this.albums = rows.albums.filter((album) => this.isSeen(album) && album.song_count > 0);
  }

  /** Playlists that the viewer finds: public ones, its own, and those that are shared with it. */
  get playlists(): readonly Playlist[] {
    const { userId } = this.viewer;
    return this.rows.playlists.filter((list) => list.is_public || list.owner_id === userId || list.collaborator_ids.includes(userId));
  }

  /** Those of some playlists that hold one of the songs. */
  listsWith(playlists: readonly Playlist[], songs: readonly Song[]): readonly Playlist[] {
    const ids = new Set(songs.map(({ id }) => id));
    return playlists.filter(({ id }) => this.rows.playlistMembers.some((member) => member.playlist_id === id && ids.has(member.object_id)));
  }

  private isSeen = ({ catalog_id: id }: { readonly catalog_id: number }): boolean =>
    this.viewer.catalogs === 'all' || this.viewer.catalogs.includes(id);

  /** Ids of everything of a type, in the type's default order. */
  all(type: SearchType): readonly { readonly id: number }[] {
    const order = this.orders[type];
    return order ? order() : [];
  }

  private readonly orders: Partial<Record<SearchType, () => readonly { readonly id: number }[]>> = {
    song: () => sorted(this.songs, (song) => [this.catalogPath(song), this.path(song)]),
    video: () => sorted(this.videos, (video) => [this.catalogPath(video), video.path]),
    album: () => sorted(this.albums, (album) => [album.name_sort]),
    album_disk: () =>
      sorted(this.rows.disks.filter(this.isSeen), (disk) => [
        this.rows.albums.find(({ id }) => id === disk.album_id)?.name_sort ?? '',
        disk.album_id,
        disk.disk,
      ]),
    artist: () => this.artistsBy(({ song_count, album_count }) => song_count > 0 || album_count > 0),
    song_artist: () => this.artistsBy(({ song_count }) => song_count > 0),
    album_artist: () => this.artistsBy(({ album_count }) => album_count > 0),
    podcast: () => sorted(this.rows.podcasts.filter(this.isSeen), (podcast) => [podcast.title_sort]),
    podcast_episode: () => sorted(this.rows.episodes.filter(this.isSeen), (episode) => [-episode.published_at_ms]),
    playlist: () => sorted(this.playlists, (list) => [list.name_sort]),
    label: () =>
      sorted(
        this.rows.labels.filter(({ id }) =>
          this.rows.albumLabels.some((link) => link.label_id === id && this.albums.some((album) => album.id === link.album_id)),
        ),
        (label) => [label.name_sort],
      ),
    genre: () =>
      sorted(
        this.rows.genres.filter(
          ({ id, hidden }) => !hidden && this.rows.songGenres.some((link) => link.genre_id === id && this.song(link.song_id)),
        ),
        (genre) => [genre.name_sort],
      ),
    user: () =>
      sorted(
        this.rows.users.filter(({ disabled }) => !disabled),
        (user) => [user.username_key],
      ),
  };

  private artistsBy(credited: (counts: { song_count: number; album_count: number }) => boolean): readonly Artist[] {
    const isCredited = (artist: Artist): boolean =>
      this.viewer.catalogs === 'all'
        ? credited(artist)
        : this.rows.artistCatalogs.some((row) => row.artist_id === artist.id && this.isSeen(row) && credited(row));
    return sorted(this.rows.artists.filter(isCredited), (artist) => [artist.name_sort]);
  }

  private song(id: number): Song | undefined {
    return this.songs.find((song) => song.id === id);
  }

  catalogPath(song: Pick<Song, 'catalog_id'>): string {
    return this.rows.catalogs.find(({ id }) => id === song.catalog_id)?.path ?? '';
  }

  /** The path of a file below its catalog. */
  private path(song: Song): string {
    const folder = this.rows.folders.find(({ id }) => id === song.folder_id)?.path ?? '';
    return folder === '' ? song.file_name : `${folder}/${song.file_name}`;
  }

  fullPath(song: Song): string {
    return `${this.catalogPath(song)}/${this.path(song)}`;
  }

  songsOf(type: SearchType, row: { readonly id: number }): readonly Song[] {
    switch (type) {
      case 'song':
        return [row as Song];
      case 'album':
        return this.songs.filter((song) => song.album_id === row.id);
      case 'album_disk': {
        const { album_id, disk } = row as Disk;
        return this.songs.filter((song) => song.album_id === album_id && Math.min(song.disk, MAX_DISK) === disk);
      }
      default:
        return this.songs.filter((song) => this.songArtistIds(song).includes(row.id));
    }
  }

  albumsOf(type: SearchType, row: { readonly id: number }): readonly Album[] {
    const byId = (wanted: number): readonly Album[] => this.rows.albums.filter(({ id }) => id === wanted);
    switch (type) {
      case 'song':
        return byId((row as Song).album_id);
      case 'album':
        return [row as Album];
      case 'album_disk':
        return byId((row as Disk).album_id);
      default: {
        const heard = new Set(this.songsOf(type, row).map((song) => song.album_id));
        return this.rows.albums.filter(
          (album) => this.isSeen(album) && (heard.has(album.id) || this.albumArtistIds(album.id).includes(row.id)),
        );
      }
    }
  }

  /** Artists of the thing: those of the song, those of the album. */
  artistsOf(type: SearchType, row: { readonly id: number }): readonly Artist[] {
    switch (type) {
      case 'song':
        return this.artists(this.songArtistIds(row));
      case 'album':
        return this.artists(this.albumArtistIds(row.id));
      case 'album_disk':
        return this.artists(this.albumArtistIds((row as Disk).album_id));
      default:
        return [row as Artist];
    }
  }

  songArtistIds(song: { readonly id: number }): readonly number[] {
    return this.rows.songArtists.filter(({ song_id }) => song_id === song.id).map(({ artist_id }) => artist_id);
  }

  albumArtistIds(albumId: number): readonly number[] {
    return this.rows.albumArtists.filter(({ album_id }) => album_id === albumId).map(({ artist_id }) => artist_id);
  }

  artists(ids: readonly number[]): readonly Artist[] {
    return this.rows.artists.filter(({ id }) => ids.includes(id));
  }

  genres(ids: readonly number[]): Rows<'library.genre'> {
    return this.rows.genres.filter(({ id }) => ids.includes(id));
  }

  songNames = (songs: readonly Song[]): Text[] => songs.map(ofSong);
  names = (rows: readonly { readonly name: string; readonly name_sort: string }[]): Text[] => rows.map(named);

  moodNames(songs: readonly Song[]): Text[] {
    const ids = new Set(songs.map(({ id }) => id));
    const moods = new Set(this.rows.songMoods.filter(({ song_id }) => ids.has(song_id)).map(({ mood_id }) => mood_id));
    return this.rows.moods.filter(({ id }) => moods.has(id)).map(({ name }) => ({ name }));
  }

  lyricsOf(song: Song): Text[] {
    const row = this.rows.lyrics.find(({ song_id }) => song_id === song.id);
    const versions = row ? (JSON.parse(row.lyrics) as { lines: { text: string }[] }[]) : [];
    return versions.map(({ lines }) => ({ name: lines.length === 0 ? null : lines.map(({ text }) => text).join('\n') }));
  }

  extraTag(song: Song, name: string): string | null {
    return (JSON.parse(song.doc) as Partial<SongDocument>).extraTags?.[name] ?? null;
  }
}

const sorted = <T extends { readonly id: number }>(rows: readonly T[], keys: (row: T) => readonly (string | number)[]): T[] => {
  const compare = (a: string | number, b: string | number): number =>
    typeof a === 'string' && typeof b === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(b)) : Number(a) - Number(b);
  return rows.toSorted((one, other) => {
    const [left, right] = [
      [...keys(one), one.id],
      [...keys(other), other.id],
    ];
    const place = left.findIndex((key, index) => compare(key, right[index] ?? 0) !== 0);
    return place < 0 ? 0 : compare(left[place] ?? 0, right[place] ?? 0);
  });
};
