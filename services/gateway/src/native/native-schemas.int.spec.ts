import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasSpecification, specificationFile } from '../testkit/specification.js';
import { cases } from './documents/cases.js';
import { DocumentWorld } from './documents/document-world.fixture.js';

let world: DocumentWorld;

beforeAll(async () => {
  world = await DocumentWorld.start();
});
afterAll(() => world.stop());

it.skipIf(hasSpecification)('is NOT held against the published schemas: the specification (../shared/spec) is not here', () => undefined);

/** The published schema of each answer, by case. */
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

/** Schemas that the document of version 6 lacks. */
const YOUNGER = new Set([
  'LocalplayResponse',
  'LocalplayStatusResponse',
  'LocalplaySongsResponse',
  'DemocraticSongsResponse',
  'DemocraticVoteResponse',
  'DemocraticPlayResponse',
  'PlaylistGenerateResponse',
  'SharesResponse',
  'ShareObject',
  'TimelineResponse',
  'ShoutsResponse',
  'HandshakeResponse',
  'PingResponse',
  'SuccessResponse',
  'CatalogsResponse',
  'SongTagObject',
  'CatalogObject',
  'UserObject',
  'BrowseResponse',
  'ListsResponse',
  'IndexResponse',
  'FolderBrowseResponse',
  'AlbumDisksResponse',
  'AlbumDiskObject',
  'LicensesResponse',
  'LicenseObject',
  'LyricsResponse',
  'DeletedSongsResponse',
  'BookmarksResponse',
  'BookmarkObject',
]);

describe.skipIf(!hasSpecification)('against the published schemas', () => {
  const schemas = new Map<number, Ajv>();
  beforeAll(() => {
    for (const version of [6, 8]) {
      const ajv = new Ajv({ strict: false, allErrors: true });
      (addFormats as unknown as (target: Ajv) => void)(ajv);
      ajv.addSchema(JSON.parse(specificationFile(`native/openapi-${version}.json`)) as object, 'published');
      schemas.set(version, ajv);
    }
  });
  it.each(
    [8, 6]
      .flatMap((version) => Object.entries(SCHEMAS).map(([name, schema]) => ({ version, name, schema })))
      .filter(({ version, schema }) => version === 8 || !YOUNGER.has(schema)),
  )('version $version $name is a $schema', async ({ version, name, schema }) => {
    const validate = schemas.get(version)?.getSchema(`published#/components/schemas/${schema}`);
    if (!validate) throw new Error(`the specification has no schema ${schema}`);
    await validate(JSON.parse(await world.call(version === 8 ? 8 : 6, 'json', cases[name] ?? '')));
    // The older document forgets that names may have no prefix; its own recordings have none.
    const faults = (validate.errors ?? []).filter(({ instancePath }) => version === 8 || !instancePath.endsWith('/prefix'));
    expect(faults).toEqual([]);
  });
});
