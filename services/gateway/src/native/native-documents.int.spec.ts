import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { create } from 'xmlbuilder2';
import { FIRST_ADDED_MS, seedFixtureLibrary } from '../testkit/fixture-library.js';
import { fixtureSongs } from '../testkit/fixture-songs.js';
import { seedFixtureVideos } from '../testkit/fixture-videos.js';
import { seedCollections, withCollections } from '../testkit/collection-fixture.js';
import { goldenPath } from '../testkit/golden.js';
import { maintenanceCommands } from '../testkit/maintenance-commands.js';
import { ShareWriter, withShares } from '../testkit/share-writer.js';
import { testReadModel, type TestReadModel } from '../testkit/read-model-database.js';
import { seedCommunity, withCommunity } from '../testkit/community-fixture.js';
import { seedPlaylists, withPlaylists } from '../testkit/playlist-fixture.js';
import { seedPlayback, withPlayback } from '../testkit/playback-fixture.js';
import { hasSpecification, specificationFile } from '../testkit/specification.js';
import { seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../testkit/test-gateway.js';
import type { Format } from './versions/policy.js';

let model: TestReadModel;
let gateway: TestGateway;

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedTestAccounts(model.write);
  await seedPlayback(model.write);
  await new ShareWriter(model.write).seed();
  await seedPlaylists(model.write);
  await seedCollections(model.write);
  await seedCommunity(model.write);
  await model.write
    .insertInto('library.deleted_song')
    .values({
      song_id: 99,
      catalog_id: 1,
      title: 'Gone & Forgotten',
      file: '/music/1/gone.flac',
      album_id: 1,
      artist_id: null,
      added_at_ms: FIRST_ADDED_MS,
      updated_at_ms: FIRST_ADDED_MS,
      deleted_at_ms: FIRST_ADDED_MS + 86_400_000,
    })
    .execute();
  await seedFixtureVideos(model.write);
  gateway = await startTestGateway(model.read, {
    settings: { PUBLIC_URL: 'http://server.example', DELETE_FROM_DISK: true, ALLOW_PUBLIC_REGISTRATION: true },
    commands: withCollections(withPlaylists(withShares(withCommunity(withPlayback(maintenanceCommands()))))),
  });
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
});

/** What a client of each version says of itself. */
const clientVersions = { 3: '390001', 4: '443000', 5: '5.5.6', 6: '6.9.2', 8: '8.0.0' } as const;

/** A call of the native API, by REST path of version 6 or 8 or by action. */
const call = async (
  version: 3 | 4 | 5 | 6 | 8,
  format: Format,
  query: string,
  token: string = testAccounts.admin.token,
): Promise<string> => {
  const url = `/server/${format}.server.php?version=${clientVersions[version]}&${query}`;
  const answer = await gateway.app.inject({ url, headers: token === '' ? {} : { authorization: `Bearer ${token}` } });
  expect(answer.statusCode).toBe(200);
  return answer.body;
};

/** A password as clients send it. */
const SHA = 'a'.repeat(64);

const cases: Readonly<Record<string, string>> = {
  handshake: 'action=handshake',
  user_preferences: 'action=user_preferences',
  user_preference: 'action=user_preference&filter=album_sort',
  'user_preference (absent)': 'action=user_preference&filter=nothing',
  system_preferences: 'action=system_preferences',
  system_preference: 'action=system_preference&filter=share_expire',
  preference_create:
    'action=preference_create&filter=colour&type=string&category=interface&default=blue&description=Colour%20of%20the%20page&level=25&subcategory=theme',
  'preference_create (type)': 'action=preference_create&filter=colour&type=number&category=interface&default=1',
  preference_edit: 'action=preference_edit&filter=album_sort&value=year_desc',
  'preference_edit (value)': 'action=preference_edit&filter=album_sort&value=by_colour',
  preference_delete: 'action=preference_delete&filter=colour',
  ping: 'action=ping',
  goodbye: 'action=goodbye',
  songs: 'action=songs',
  'songs (page)': 'action=songs&offset=1&limit=2&sort=year,DESC',
  'songs (empty)': 'action=songs&filter=nothing%20like%20this',
  'songs (cond)': 'action=songs&cond=genre,1;catalog,1',
  song: 'action=song&filter=1',
  search_songs: 'action=search_songs&filter=harbour',
  'advanced_search (song)': 'action=advanced_search&type=song&rule_1=anywhere&rule_1_operator=0&rule_1_input=harbour',
  'advanced_search (album)': 'action=advanced_search&type=album&rule_1=title&rule_1_operator=0&rule_1_input=o',
  'advanced_search (artist)': 'action=advanced_search&type=artist&rule_1=artist&rule_1_operator=2&rule_1_input=The%20',
  'search (song)':
    'action=search&operator=or&limit=3&rule_1=title&rule_1_operator=0&rule_1_input=watch|opening&rule_7=year&rule_7_operator=5&rule_7_input=2000',
  'search (album)':
    'action=search&type=album&rule_1=song_count&rule_1_operator=0&rule_1_input=1&rule_2=genre&rule_2_operator=4&rule_2_input=folk',
  'search (artist)': 'action=search&type=artist&rule_1=name&rule_1_operator=6&rule_1_input=harber%20lihgts',
  'search (album_disk)': 'action=search&type=album_disk&rule_1=title&rule_1_operator=0&rule_1_input=long',
  'search (tag)': 'action=search&type=tag&rule_1=title&rule_1_operator=8&rule_1_input=^(f|e)',
  'search (label)': 'action=search&type=label&rule_1=name&rule_1_operator=0&rule_1_input=pier',
  'search (user)': 'action=search&type=user&rule_1=username&rule_1_operator=0&rule_1_input=%25',
  'search (playlist)': 'action=search&type=playlist&rule_1=title&rule_1_operator=0&rule_1_input=x',
  'search (song_artist)': 'action=search&type=song_artist&rule_1=title&rule_1_operator=1&rule_1_input=zz',
  'search (empty)': 'action=search&rule_1=title&rule_1_operator=4&rule_1_input=nothing%20like%20this',
  'search (podcast)': 'action=search&type=podcast&rule_1=title&rule_1_operator=0&rule_1_input=x',
  'search (type)': 'action=search&type=nothing&rule_1=title&rule_1_operator=0&rule_1_input=x',
  'search (rule)': 'action=search&rule_1=nothing&rule_1_operator=0&rule_1_input=x',
  'search (missing)': 'action=search&rule_1=title&rule_1_operator=0',
  'search (operator)': 'action=search&rule_1=title&rule_1_operator=99&rule_1_input=x',
  'search (operand)': 'action=search&rule_1=year&rule_1_operator=0&rule_1_input=soon',
  'search (regex)': 'action=search&rule_1=title&rule_1_operator=8&rule_1_input=(((',
  'search_group (all)': 'action=search_group&rule_1=title&rule_1_operator=0&rule_1_input=%25',
  'search_group (music)': 'action=search_group&type=all&filter=music&rule_1=title&rule_1_operator=0&rule_1_input=o',
  'search_group (podcast)': 'action=search_group&type=podcast&rule_1=title&rule_1_operator=0&rule_1_input=o',
  'search_group (empty)': 'action=search_group&type=music&rule_1=title&rule_1_operator=0&rule_1_input=nothing%20like%20this',
  'search_group (type)': 'action=search_group&type=nothing&rule_1=title&rule_1_operator=0&rule_1_input=x',
  'search_rules (song)': 'action=search_rules&filter=song',
  'search_rules (album)': 'action=search_rules&filter=album',
  'search_rules (album_disk)': 'action=search_rules&filter=album_disk',
  'search_rules (artist)': 'action=search_rules&filter=artist',
  'search_rules (label)': 'action=search_rules&filter=label',
  'search_rules (playlist)': 'action=search_rules&filter=playlist',
  'search_rules (genre)': 'action=search_rules&filter=genre',
  'search_rules (user)': 'action=search_rules&filter=user',
  'search_rules (podcast)': 'action=search_rules&filter=podcast',
  'search_rules (video)': 'action=search_rules&filter=video',
  url_to_song: 'action=url_to_song&filter=http%3A%2F%2Fserver.example%2Fplay%2Findex.php%3Foid%3D1',
  albums: 'action=albums',
  'albums (with include)': 'action=albums&include=songs',
  album: 'action=album&filter=1',
  album_songs: 'action=album_songs&filter=1',
  artists: 'action=artists',
  'artists (album artists)': 'action=artists&album_artist=1',
  'artists (with include)': 'action=artists&include=songs,albums',
  artist: 'action=artist&filter=1',
  artist_albums: 'action=artist_albums&filter=2',
  artist_songs: 'action=artist_songs&filter=1',
  'artist_songs (top50)': 'action=artist_songs&filter=1&top50=1',
  genres: 'action=genres',
  genre: 'action=genre&filter=1',
  genre_songs: 'action=genre_songs&filter=1',
  genre_albums: 'action=genre_albums&filter=1',
  genre_artists: 'action=genre_artists&filter=1',
  catalogs: 'action=catalogs',
  catalog: 'action=catalog&filter=1',
  browse: 'action=browse',
  'browse (catalog)': 'action=browse&type=catalog&filter=1',
  'browse (artist)': 'action=browse&type=artist&filter=1&catalog=1',
  'browse (album)': 'action=browse&type=album&filter=1&catalog=1',
  'browse (album_disk)': 'action=browse&type=album_disk&filter=257',
  'browse (empty)': 'action=browse&type=catalog&filter=1&cond=like,nobody',
  'browse (podcast)': 'action=browse&type=podcast&filter=1',
  list: 'action=list&type=song',
  'list (album)': 'action=list&type=album',
  'list (album_disk)': 'action=list&type=album_disk',
  'list (artist)': 'action=list&type=Artist&sort=name,DESC&limit=2',
  'list (catalog)': 'action=list&type=catalog',
  'list (empty)': 'action=list&type=song&filter=nothing%20like%20this',
  'list (share)': 'action=list&type=share',
  'index (share)': 'action=index&type=share',
  'get_indexes (share)': 'action=get_indexes&type=share',
  shares: 'action=shares',
  'shares (cond)': 'action=shares&cond=object_type,song&sort=id,DESC',
  'shares (empty)': 'action=shares&filter=nothing%20like%20this',
  share: 'action=share&filter=1',
  'share (unknown)': 'action=share&filter=99',
  share_create: 'action=share_create&type=song&filter=2&description=A%20song',
  'share_create (type)': 'action=share_create&type=nothing&filter=1',
  'share_create (later)': 'action=share_create&type=playlist&filter=1',
  'share_create (unknown)': 'action=share_create&type=song&filter=999',
  'share_create (expires)': 'action=share_create&type=song&filter=1&expires=soon',
  share_edit: 'action=share_edit&filter=1&description=x&stream=1&download=0&expires=30',
  'share_edit (unknown)': 'action=share_edit&filter=99&stream=0',
  'share_edit (switch)': 'action=share_edit&filter=1&stream=perhaps',
  share_delete: 'action=share_delete&filter=2',
  'share_delete (unknown)': 'action=share_delete&filter=99',
  'index (song)': 'action=index&type=song',
  'index (album_disk with include)': 'action=index&type=album_disk&include=1',
  'index (album with include)': 'action=index&type=album&include=1',
  'index (album_artist)': 'action=index&type=album_artist',
  'index (artist with include)': 'action=index&type=artist&include=1',
  'index (song_artist with include)': 'action=index&type=song_artist&include=1',
  'index (catalog with include)': 'action=index&type=catalog&include=1',
  'index (type)': 'action=index&type=nothing',
  'get_indexes (song)': 'action=get_indexes&type=song',
  'get_indexes (album)': 'action=get_indexes&type=album',
  'get_indexes (album with include)': 'action=get_indexes&type=album&include=1',
  'get_indexes (artist)': 'action=get_indexes&type=artist',
  'get_indexes (album_artist with include)': 'action=get_indexes&type=album_artist&include=1',
  'get_indexes (catalog)': 'action=get_indexes&type=catalog',
  'get_indexes (playlist)': 'action=get_indexes&type=playlist',
  folders: 'action=folders',
  'folders (path)': 'action=folders&filter=/music/1/Harbour%20Lights/The%20Long%20Night',
  'folders (loosely)': 'action=folders&filter=harbour&exact=0',
  'folders (unknown)': 'action=folders&filter=/nowhere',
  album_disks: 'action=album_disks&filter=1',
  album_disk: 'action=album_disk&filter=258&include=songs',
  album_disk_songs: 'action=album_disk_songs&filter=257',
  labels: 'action=labels',
  label: 'action=label&filter=1',
  label_artists: 'action=label_artists&filter=1',
  licenses: 'action=licenses',
  license: 'action=license&filter=1',
  license_songs: 'action=license_songs&filter=1',
  'license_songs (unknown)': 'action=license_songs&filter=some',
  tags: 'action=tags',
  tag: 'action=tag&filter=1',
  tag_albums: 'action=tag_albums&filter=1',
  tag_artists: 'action=tag_artists&filter=1',
  tag_songs: 'action=tag_songs&filter=1',
  get_lyrics: 'action=get_lyrics&filter=1',
  'get_lyrics (none)': 'action=get_lyrics&filter=2',
  deleted_songs: 'action=deleted_songs',
  'deleted_songs (empty)': 'action=deleted_songs&offset=5',
  deleted_podcast_episodes: 'action=deleted_podcast_episodes',
  videos: 'action=videos',
  'videos (page)': 'action=videos&limit=1&sort=length,DESC',
  'videos (cond)': 'action=videos&cond=genre,1',
  'videos (empty)': 'action=videos&filter=nothing%20like%20this',
  video: 'action=video&filter=1',
  'video (unknown)': 'action=video&filter=99',
  deleted_videos: 'action=deleted_videos',
  'deleted_videos (empty)': 'action=deleted_videos&offset=5',
  'list (video)': 'action=list&type=video',
  'index (video)': 'action=index&type=video',
  'get_indexes (video)': 'action=get_indexes&type=video',
  'search (video)': 'action=search&type=video&rule_1=file&rule_1_operator=0&rule_1_input=mp4',
  'search (genre by videos)': 'action=search&type=genre&rule_1=video_count&rule_1_operator=0&rule_1_input=1',
  'search_group (video)': 'action=search_group&type=video&rule_1=file&rule_1_operator=2&rule_1_input=/music',
  catalog_add: 'action=catalog_add&name=music&path=/music/1',
  'catalog_add (remote)': 'action=catalog_add&name=far&path=/far&type=subsonic&username=ada&password=x',
  'catalog_add (remote without login)': 'action=catalog_add&name=far&path=/far&type=subsonic',
  'catalog_add (kind)': 'action=catalog_add&name=far&path=/far&type=beetsremote',
  catalog_create: 'action=catalog_create&name=music&path=/music/1',
  catalog_delete: 'action=catalog_delete&filter=1',
  catalog_action: 'action=catalog_action&filter=1&task=add_to_catalog',
  'catalog_action (verify)': 'action=catalog_action&catalog=1&task=verify_catalog',
  'catalog_action (update)': 'action=catalog_action&filter=1&task=update_catalog',
  'catalog_action (garbage)': 'action=catalog_action&filter=1&task=garbage_collect',
  'catalog_action (error)': 'action=catalog_action&filter=1&task=clean',
  catalog_file: 'action=catalog_file&filter=1&task=clean&file=/music/1/01.flac',
  'catalog_file (several)': 'action=catalog_file&catalog=1&task=clean,add,%20verify&file=/music/1/01.flac',
  'catalog_file (outside)': 'action=catalog_file&filter=1&task=add&file=/music/1/../outside.flac',
  'catalog_file (missing)': 'action=catalog_file&filter=1&task=add&file=/music/1/missing.flac',
  'catalog_file (damaged)': 'action=catalog_file&filter=1&task=add&file=/music/1/damaged.flac',
  'catalog_file (task)': 'action=catalog_file&filter=1&task=add,burn&file=/music/1/01.flac',
  'catalog_file (catalog)': 'action=catalog_file&filter=77&task=add&file=/music/1/01.flac',
  catalog_folder: 'action=catalog_folder&filter=1&task=clean&folder=/music/1/Harbour%20%26%20Lights',
  'catalog_folder (undeletable)': 'action=catalog_folder&filter=1&task=remove&folder=/music/1/undeletable',
  song_delete: 'action=song_delete&filter=1',
  song_tags: 'action=song_tags&filter=1',
  update_from_tags: 'action=update_from_tags&filter=1&type=song',
  'update_from_tags (album)': 'action=update_from_tags&id=1&type=album',
  'update_from_tags (artist)': 'action=update_from_tags&filter=1&type=artist',
  'update_from_tags (unknown)': 'action=update_from_tags&filter=999&type=album',
  'update_from_tags (type)': 'action=update_from_tags&filter=1&type=genre',
  update_art: 'action=update_art&filter=1&type=album',
  'update_art (keep)': 'action=update_art&filter=1&type=album&overwrite=0',
  'update_art (nothing)': 'action=update_art&filter=4&type=artist',
  update_artist_info: 'action=update_artist_info&filter=1',
  system_update: 'action=system_update',
  users: 'action=users',
  user: 'action=user',
  'stats (song)': 'action=stats&type=song&filter=newest&limit=3',
  'stats (album)': 'action=stats&type=album&filter=frequent',
  'stats (artist)': 'action=stats&type=artist&filter=recent&limit=2&offset=1',
  'stats (album_disk)': 'action=stats&type=album_disk&filter=forgotten&limit=2',
  'stats (by mode)': 'action=stats&type=newest&limit=2',
  'stats (cond)': 'action=stats&type=song&filter=frequent&sort=title,DESC&cond=catalog,1',
  'stats (user)': 'action=stats&type=song&filter=frequent&username=listener',
  'stats (empty)': 'action=stats&type=song&filter=flagged',
  'stats (video)': 'action=stats&type=video&filter=newest',
  record_play: 'action=record_play&id=1',
  'record_play (somebody else)': 'action=record_play&id=1&user=listener&date=1700000000',
  scrobble: 'action=scrobble&song=opening%20%C3%A6ther&artist=Harbour%20Lights&album=Long%20Night',
  'scrobble (no match)': 'action=scrobble&song=Opening&artist=Nobody&album=Nothing',
  now_playing: 'action=now_playing',
  'now_playing (empty)': 'action=now_playing&offset=9',
  player: 'action=player&filter=1&state=play&time=30',
  'player (podcast)': 'action=player&filter=1&type=podcast_episode',
  get_similar: 'action=get_similar&type=song&filter=1',
  'get_similar (artist)': 'action=get_similar&type=artist&filter=1',
  user_create: `action=user_create&username=new%20%26%20%3Cone%3E&password=${SHA}&email=new%40example.org`,
  'user_create (taken)': `action=user_create&username=taken&password=${SHA}&email=new%40example.org`,
  'user_create (address)': `action=user_create&username=new&password=${SHA}&email=nowhere`,
  'user_create (password)': 'action=user_create&username=new&password=clear&email=new%40example.org',
  'user_create (missing)': 'action=user_create&username=new',
  user_edit: 'action=user_edit&username=listener&city=Graz&maxbitrate=128000',
  'user_edit (taken)': 'action=user_edit&username=listener&email=taken%40example.org',
  'user_edit (administrator)': `action=user_edit&username=admin&password=${SHA}`,
  'user_edit (nobody)': 'action=user_edit&username=nobody&city=Graz',
  user_update: 'action=user_update&username=listener&city=Graz',
  user_delete: 'action=user_delete&username=listener',
  'user_delete (own)': 'action=user_delete&username=admin',
  register: `action=register&username=new&password=${SHA}&email=new%40example.org&fullname=New`,
  lost_password: `action=lost_password&auth=${SHA}`,
  toggle_follow: 'action=toggle_follow&username=listener',
  'toggle_follow (oneself)': 'action=toggle_follow&username=admin',
  'toggle_follow (unknown)': 'action=toggle_follow&username=nobody',
  'toggle_follow (missing)': 'action=toggle_follow',
  followers: 'action=followers&username=listener',
  'followers (page)': 'action=followers&username=2&limit=1&sort=username,DESC',
  'followers (empty)': 'action=followers&username=third%20%26%20last',
  'followers (unknown)': 'action=followers&username=nobody',
  following: 'action=following&username=admin',
  'following (empty)': 'action=following&username=third%20%26%20last',
  timeline: 'action=timeline&username=listener',
  'timeline (since)': 'action=timeline&username=listener&since=1717196400&limit=1',
  'timeline (empty)': 'action=timeline&username=nobody',
  'timeline (value)': 'action=timeline&username=listener&since=lately',
  friends_timeline: 'action=friends_timeline&limit=none',
  last_shouts: 'action=last_shouts&username=',
  'last_shouts (of one)': 'action=last_shouts&username=admin&limit=1',
  'last_shouts (empty)': 'action=last_shouts&username=third%20%26%20last',
  playlist_generate: 'action=playlist_generate&filter=opening&limit=4',
  'playlist_generate (index)': 'action=playlist_generate&filter=opening&format=index',
  'playlist_generate (id)': 'action=playlist_generate&filter=opening&format=id',
  'playlist_generate (id empty)': 'action=playlist_generate&filter=nothing%20like%20this&format=id',
  'playlist_generate (empty)': 'action=playlist_generate&filter=nothing%20like%20this',
  'playlist_generate (unplayed)': 'action=playlist_generate&mode=unplayed&filter=opening',
  'playlist_generate (recent)': 'action=playlist_generate&mode=recent&filter=opening',
  playlists: 'action=playlists',
  'playlists (with include)': 'action=playlists&include=1',
  'playlists (cond)': 'action=playlists&cond=playlist_type,0&sort=last_update,DESC',
  'playlists (hide_search)': 'action=playlists&hide_search=1&filter=over',
  'playlists (empty)': 'action=playlists&filter=nothing%20like%20this',
  user_playlists: 'action=user_playlists',
  'user_playlists (with include)': 'action=user_playlists&include=songs&sort=name,DESC',
  playlist: 'action=playlist&filter=1',
  'playlist (system)': 'action=playlist&filter=4',
  'playlist (unknown)': 'action=playlist&filter=99',
  playlist_songs: 'action=playlist_songs&filter=1',
  'playlist_songs (page)': 'action=playlist_songs&filter=1&offset=1&limit=1',
  'playlist_songs (empty)': 'action=playlist_songs&filter=2',
  playlist_hash: 'action=playlist_hash&filter=1',
  'playlist_hash (empty)': 'action=playlist_hash&filter=2',
  playlist_create: 'action=playlist_create&name=New&type=private',
  'playlist_create (known)': 'action=playlist_create&name=Quiet&type=private',
  'playlist_create (type)': 'action=playlist_create&name=New',
  'playlist_create (empty)': 'action=playlist_create&name=%20&type=public',
  playlist_edit: 'action=playlist_edit&filter=1&name=Fast&type=private&items=1,2&tracks=1,3',
  'playlist_edit (sort)': 'action=playlist_edit&filter=1&sort=1',
  'playlist_edit (nothing)': 'action=playlist_edit&filter=1',
  'playlist_edit (tracks)': 'action=playlist_edit&filter=1&items=1,2&tracks=1',
  'playlist_edit (items)': 'action=playlist_edit&filter=1&items=999&tracks=1',
  'playlist_edit (owner)': 'action=playlist_edit&filter=1&owner=listener',
  'playlist_edit (unknown owner)': 'action=playlist_edit&filter=1&owner=nobody',
  playlist_add: 'action=playlist_add&filter=1&id=1&object_type=album',
  'playlist_add (type)': 'action=playlist_add&filter=1&id=1&type=genre',
  'playlist_add (without type)': 'action=playlist_add&filter=1&id=1',
  'playlist_add (unknown)': 'action=playlist_add&filter=1&id=999&object_type=song',
  playlist_add_song: 'action=playlist_add_song&filter=1&song=1',
  'playlist_add_song (duplicate)': 'action=playlist_add_song&filter=1&song=1&check=1',
  playlist_remove: 'action=playlist_remove&filter=1&id=1',
  'playlist_remove (track)': 'action=playlist_remove&filter=1&track=3',
  'playlist_remove (clear)': 'action=playlist_remove&filter=1&clear=1&id=99',
  'playlist_remove (unknown track)': 'action=playlist_remove&filter=1&track=4',
  'playlist_remove (nothing)': 'action=playlist_remove&filter=1',
  'playlist_remove (album)': 'action=playlist_remove&filter=1&id=1&object_type=album',
  playlist_remove_song: 'action=playlist_remove_song&filter=1&song=2',
  'playlist_remove_song (track)': 'action=playlist_remove_song&filter=1&track=1',
  playlist_delete: 'action=playlist_delete&filter=2',
  'list (playlist)': 'action=list&type=playlist',
  'index (playlist)': 'action=index&type=playlist',
  'index (playlist with include)': 'action=index&type=playlist&include=1',
  'get_indexes (playlist with include)': 'action=get_indexes&type=playlist&include=1',
  'search (playlist by owner)': 'action=search&type=playlist&rule_1=owner&rule_1_operator=0&rule_1_input=1',
  'search (song by playlist)': 'action=search&type=song&rule_1=playlist&rule_1_operator=0&rule_1_input=1',
  'search_group (playlist)': 'action=search_group&type=all&rule_1=title&rule_1_operator=0&rule_1_input=overture',
  'rate (playlist)': 'action=rate&type=playlist&filter=1&rating=4',
  'flag (playlist)': 'action=flag&type=playlist&filter=1&flag=1',
  collections: 'action=collections',
  'collections (type)': 'action=collections&type=album',
  'collections (bad type)': 'action=collections&type=colour',
  'collections (empty)': 'action=collections&type=label',
  collection: 'action=collection&filter=1',
  'collection (unknown)': 'action=collection&filter=99',
  collection_items: 'action=collection_items&filter=1',
  'collection_items (page)': 'action=collection_items&filter=1&offset=1&limit=1',
  'collection_items (empty)': 'action=collection_items&filter=2',
  collection_create: 'action=collection_create&name=New&type=private&object_type=album',
  'collection_create (empty)': 'action=collection_create&name=%20',
  'collection_create (bad type)': 'action=collection_create&name=New&object_type=colour',
  collection_edit: 'action=collection_edit&filter=1&name=Other&type=public&object_type=&items=album:1,smartlist:1&tracks=1,2',
  'collection_edit (items)': 'action=collection_edit&filter=1&items=song:999&tracks=1',
  'collection_edit (tracks)': 'action=collection_edit&filter=1&items=song:1,album:1&tracks=1',
  collection_add: 'action=collection_add&filter=1&id=1&object_type=artist',
  'collection_add (no id)': 'action=collection_add&filter=1',
  'collection_add (no type)': 'action=collection_add&filter=1&id=1',
  'collection_add (unknown)': 'action=collection_add&filter=1&id=999&object_type=song',
  collection_remove: 'action=collection_remove&filter=1&track=2',
  'collection_remove (id)': 'action=collection_remove&filter=1&id=77&object_type=song',
  'collection_remove (track)': 'action=collection_remove&filter=1&track=9',
  collection_delete: 'action=collection_delete&filter=2',
  playlist_folders: 'action=playlist_folders',
  playlist_folder: 'action=playlist_folder&filter=2',
  'playlist_folder (path)': 'action=playlist_folder&filter=%2Fevenings%20%26%20nights%2FLATE',
  'playlist_folder (root)': 'action=playlist_folder&filter=%2F',
  'playlist_folder (unknown)': 'action=playlist_folder&filter=99',
  playlist_folder_items: 'action=playlist_folder_items&filter=1',
  'playlist_folder_items (empty)': 'action=playlist_folder_items&filter=2',
  playlist_folder_create: 'action=playlist_folder_create&name=Mornings&parent=1&sort_order=4',
  'playlist_folder_create (slash)': 'action=playlist_folder_create&name=a%2Fb',
  'playlist_folder_create (order)': 'action=playlist_folder_create&name=a&sort_order=many',
  'playlist_folder_create (parent)': 'action=playlist_folder_create&name=a&parent=99',
  playlist_folder_edit: 'action=playlist_folder_edit&filter=2&name=Later&parent=0&sort_order=9',
  'playlist_folder_edit (root)': 'action=playlist_folder_edit&filter=0&name=Later',
  playlist_folder_delete: 'action=playlist_folder_delete&filter=2',
  playlist_folder_add: 'action=playlist_folder_add&filter=2&id=2&type=playlist',
  'playlist_folder_add (type)': 'action=playlist_folder_add&filter=2&id=2&type=song',
  'playlist_folder_add (unknown)': 'action=playlist_folder_add&filter=2&id=99&type=playlist',
  playlist_folder_remove: 'action=playlist_folder_remove&filter=1&id=1&type=playlist',
  'error-4703': 'action=localplay&command=status',
  'error-4704': 'action=song&filter=999',
  'error-4705': 'action=no_such_thing',
  'error-4706': 'action=get_indexes',
  'error-4710 (missing)': 'action=song',
  'error-4710 (value)': 'action=songs&add=someday',
};

const forms = [
  ...([8, 6, 5, 4] as const).flatMap((version) => (['json', 'xml'] as const).map((format) => ({ version, format }))),
  // Version 3 has no JSON of its own.
  { version: 3, format: 'xml' },
] as const;

describe.each(forms)('version $version', ({ version, format }) => {
  describe(`in ${format}`, () => {
    it.each(Object.entries(cases))('%s', async (name, query) => {
      const body = await call(version, format, query);
      // Both forms must be readable whatever the fixtures hold.
      if (format === 'json') JSON.parse(body);
      else create(body);
      await expect(body).toMatchFileSnapshot(goldenPath(`native/${version}/${format}/${name}.${format}`));
    });
    it.each([
      ['ping (no auth)', 'action=ping'],
      ['error-4701', 'action=songs'],
    ])('%s', async (name, query) => {
      await expect(await call(version, format, query, '')).toMatchFileSnapshot(goldenPath(`native/${version}/${format}/${name}.${format}`));
    });
    it.each([
      ['error-4742', 'action=catalog_add&name=x&path=/x'],
      ['user (other)', 'action=user&filter=admin'],
      ['playlists (other)', 'action=playlists'],
      ['playlist (private)', 'action=playlist&filter=2'],
      ['collections (other)', 'action=collections'],
      ['collection (private)', 'action=collection&filter=2'],
      ['collection_delete (access)', 'action=collection_delete&filter=1'],
      ['collection_edit (collaborator)', 'action=collection_edit&filter=1&items=song:1&tracks=1'],
      ['playlist_folder (other)', 'action=playlist_folder&filter=2'],
      ['playlist_delete (access)', 'action=playlist_delete&filter=1'],
      ['playlist_edit (collaborator)', 'action=playlist_edit&filter=1&name=Theirs'],
      ['user_create (access)', `action=user_create&username=new&password=${SHA}&email=new%40example.org`],
    ])('%s', async (name, query) => {
      const body = await call(version, format, query, testAccounts.listener.token);
      await expect(body).toMatchFileSnapshot(goldenPath(`native/${version}/${format}/${name}.${format}`));
    });
  });
});

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
  'error-4703': 'ErrorResponse',
  'error-4704': 'ErrorResponse',
  'error-4710 (missing)': 'ErrorResponse',
};

/** Schemas that the document of version 6 lacks. */
const YOUNGER = new Set([
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
    await validate(JSON.parse(await call(version === 8 ? 8 : 6, 'json', cases[name] ?? '')));
    // The older document forgets that names may have no prefix; its own recordings have none.
    const faults = (validate.errors ?? []).filter(({ instancePath }) => version === 8 || !instancePath.endsWith('/prefix'));
    expect(faults).toEqual([]);
  });
});
