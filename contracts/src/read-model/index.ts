import type * as ingestion from './ingestion.js';
import type * as library from './library.js';
import type * as playback from './playback.js';
import type * as social from './social.js';

/** The published read model as kysely sees it: one entry per view, schema and name. */
export interface ReadModel {
  'library.catalog': library.CatalogTable;
  'library.folder': library.FolderTable;
  'library.file': library.FileTable;
  'library.song': library.SongTable;
  'library.song_artist': library.SongArtistTable;
  'library.song_genre': library.SongGenreTable;
  'library.song_mood': library.SongMoodTable;
  'library.song_lyrics': library.SongLyricsTable;
  'library.album': library.AlbumTable;
  'library.album_artist': library.AlbumArtistTable;
  'library.album_genre': library.AlbumGenreTable;
  'library.artist': library.ArtistTable;
  'library.artist_catalog': library.ArtistCatalogTable;
  'library.artist_genre': library.ArtistGenreTable;
  'library.genre': library.GenreTable;
  'library.album_disk': library.AlbumDiskTable;
  'library.label': library.LabelTable;
  'library.album_label': library.AlbumLabelTable;
  'library.artist_label': library.ArtistLabelTable;
  'library.license': library.LicenseTable;
  'library.deleted_song': library.DeletedSongTable;
  'library.genre_merge': library.GenreMergeTable;
  'library.mood': library.MoodTable;
  'library.art': library.ArtTable;
  'library.counter': library.CounterTable;
  'ingestion.scan': ingestion.ScanTable;
  'social.user': social.UserTable;
  'social.api_key': social.ApiKeyTable;
  'social.access_rule': social.AccessRuleTable;
  'social.rating': social.RatingTable;
  'social.rating_average': social.RatingAverageTable;
  'social.user_flag': social.UserFlagTable;
  'playback.song_plays': playback.SongPlaysTable;
  'playback.user_song_plays': playback.UserSongPlaysTable;
  'playback.play': playback.PlayTable;
  'playback.now_playing': playback.NowPlayingTable;
}

export type * from './documents.js';
export type * from './ingestion.js';
export type * from './library.js';
export type * from './playback.js';
export type * from './social.js';
