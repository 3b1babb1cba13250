import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nativeValidators } from '../api-facts/compat-schemas.js';
import { cases } from '../calls/native/cases.js';
import { DocumentWorld } from './document-world.fixture.js';

let world: DocumentWorld;

beforeAll(async () => {
  world = await DocumentWorld.start();
});
afterAll(() => world.stop());

/** The type of each answer in contracts/api, by case. */
const SCHEMAS: Readonly<Record<string, string>> = {
  handshake: 'HandshakeResponse',
  ping: 'PingResponse',
  goodbye: 'SuccessResponse',
  songs: 'SongsResponse',
  'songs (empty)': 'SongsResponse',
  song: 'SongObject',
  'advanced_search (song)': 'SongsResponse',
  'search (album)': 'AlbumsResponse',
  'search (artist)': 'ArtistsResponse',
  'search (tag)': 'GenresResponse',
  'search (empty)': 'SongsResponse',
  'search (regex)': 'ErrorResponse',
  'search (operand)': 'ErrorResponse',
  search_songs: 'SongsResponse',
  url_to_song: 'SongObject',
  'democratic (playlist)': 'DemocraticSongsResponse',
  'democratic (empty)': 'DemocraticSongsResponse',
  'democratic (vote)': 'DemocraticVoteResponse',
  'democratic (devote)': 'DemocraticVoteResponse',
  'democratic (play)': 'DemocraticPlayResponse',
  albums: 'AlbumsResponse',
  'albums (with include)': 'AlbumsResponse',
  album: 'AlbumObject',
  artists: 'ArtistsResponse',
  'artists (with include)': 'ArtistsResponse',
  artist: 'ArtistObject',
  genres: 'GenresResponse',
  genre: 'GenreObject',
  catalogs: 'CatalogsResponse',
  browse: 'BrowseResponse',
  'browse (empty)': 'BrowseResponse',
  playlist_generate: 'PlaylistGenerateResponse',
  'playlist_generate (index)': 'PlaylistGenerateResponse',
  'playlist_generate (id)': 'PlaylistGenerateResponse',
  list: 'ListsResponse',
  smartlists: 'PlaylistsResponse',
  'smartlists (with include)': 'PlaylistsResponse',
  user_smartlists: 'PlaylistsResponse',
  smartlist: 'PlaylistObject',
  smartlist_songs: 'SongsResponse',
  smartlist_delete: 'SuccessResponse',
  'index (song)': 'IndexResponse',
  'index (album with include)': 'IndexResponse',
  folders: 'FolderBrowseResponse',
  'folders (path)': 'FolderBrowseResponse',
  album_disks: 'AlbumDisksResponse',
  album_disk: 'AlbumDiskObject',
  labels: 'LabelsResponse',
  label: 'LabelObject',
  label_artists: 'ArtistsResponse',
  licenses: 'LicensesResponse',
  license: 'LicenseObject',
  license_songs: 'SongsResponse',
  get_lyrics: 'LyricsResponse',
  'get_lyrics (none)': 'LyricsResponse',
  deleted_songs: 'DeletedSongsResponse',
  catalog: 'CatalogObject',
  catalog_add: 'CatalogObject',
  catalog_action: 'SuccessResponse',
  catalog_file: 'SuccessResponse',
  song_delete: 'SuccessResponse',
  song_tags: 'SongTagObject',
  update_from_tags: 'SuccessResponse',
  toggle_follow: 'SuccessResponse',
  followers: 'UsersResponse',
  following: 'UsersResponse',
  timeline: 'TimelineResponse',
  friends_timeline: 'TimelineResponse',
  last_shouts: 'ShoutsResponse',
  users: 'UsersResponse',
  user: 'UserObject',
  playlists: 'PlaylistsResponse',
  'playlists (with include)': 'PlaylistsResponse',
  'playlists (empty)': 'PlaylistsResponse',
  user_playlists: 'PlaylistsResponse',
  playlist: 'PlaylistObject',
  playlist_songs: 'SongsResponse',
  playlist_create: 'PlaylistObject',
  playlist_edit: 'SuccessResponse',
  playlist_add: 'SuccessResponse',
  playlist_delete: 'SuccessResponse',
  'list (playlist)': 'ListsResponse',
  'index (playlist)': 'IndexResponse',
  bookmarks: 'BookmarksResponse',
  bookmark: 'BookmarkObject',
  'bookmark (include)': 'BookmarkObject',
  get_bookmark: 'BookmarkObject',
  bookmark_create: 'BookmarkObject',
  bookmark_edit: 'BookmarkObject',
  bookmark_delete: 'SuccessResponse',
  shares: 'SharesResponse',
  share: 'ShareObject',
  share_create: 'ShareObject',
  share_edit: 'SuccessResponse',
  share_delete: 'SuccessResponse',
  user_create: 'SuccessResponse',
  user_edit: 'SuccessResponse',
  user_delete: 'SuccessResponse',
  register: 'SuccessResponse',
  lost_password: 'SuccessResponse',
  localplay: 'LocalplayResponse',
  'localplay (status)': 'LocalplayStatusResponse',
  'localplay (add)': 'LocalplayResponse',
  localplay_songs: 'LocalplaySongsResponse',
  'error-4703': 'ErrorResponse',
  'error-4704': 'ErrorResponse',
  'error-4710 (missing)': 'ErrorResponse',
};

describe.each([8, 6] as const)('answers of version %d', (version) => {
  const validatorOf = nativeValidators(version);
  // Version 6 has no type for some answers.
  const typed = Object.entries(SCHEMAS).filter(([, type]) => version === 8 || validatorOf(type) !== undefined);

  it.each(typed)('%s is a %s', async (name, type) => {
    const validate = validatorOf(type);
    if (!validate) throw new Error(`there is no type ${type}`);
    validate(JSON.parse(await world.call(version, 'json', cases[name] ?? '')));
    // The older types forget that names may have no prefix; recordings of that version have none.
    const faults = (validate.errors ?? []).filter(({ instancePath }) => version === 8 || !instancePath.endsWith('/prefix'));
    expect(faults).toEqual([]);
  });
});
