/** The same call as a recording's, over the seeded library. */
export interface ReplayCall {
  /** Query, `action` included. */
  readonly query: string;
  /** Who calls; an administrator when nothing is said. */
  readonly as?: 'listener' | 'nobody';
  /** Which server: one with access control off, or one whose read model fails. */
  readonly server?: 'open' | 'closed' | 'broken';
}

const type = (name: string): string => name.replace(/^\(/, '').replace(/\)$/, '').replace(' with include', '').replaceAll(' ', '_');
const singular = (name: string): string => (name.endsWith('ies') ? `${name.slice(0, -3)}y` : name.replace(/s$/, ''));

/** Ids in the rich library: what has everything comes first. */
const first = 'filter=1';
/** A password as clients send it. */
const SHA = 'a'.repeat(64);
const NAMED_DATE = 'date=1717200000';
const rule = 'rule_1=title&rule_1_operator=0&rule_1_input=e';
const nameless: Readonly<Record<string, string>> = {
  album: first,
  album_disk: first,
  album_disk_songs: first,
  album_disks: first,
  album_songs: first,
  artist: first,
  artist_albums: first,
  artist_songs: first,
  bookmark: first,
  bookmark_create: 'type=song&filter=1&position=0&client=replay',
  bookmark_delete: 'type=bookmark&filter=1',
  bookmark_edit: 'type=bookmark&filter=1&position=10&client=replay',
  catalog: first,
  catalog_action: 'catalog=1&task=clean_catalog',
  catalog_add: 'name=more&path=/music/more',
  catalog_delete: 'filter=2',
  catalog_file: 'catalog=1&task=clean&file=/music/records/nobody.mp3',
  catalog_folder: 'catalog=1&task=clean&folder=/music/records/Various',
  download: 'type=song&filter=1',
  flag: 'type=song&filter=1&flag=1',
  followers: 'username=listener',
  following: 'username=listener',
  genre: first,
  genre_albums: first,
  genre_artists: first,
  genre_songs: first,
  get_art: 'type=song&filter=1',
  get_bookmark: 'type=song&filter=1',
  get_lyrics: first,
  get_similar: 'type=artist&filter=1',
  label: first,
  label_artists: first,
  last_shouts: 'username=',
  license: first,
  license_songs: first,
  list: 'type=song',
  live_stream: first,
  live_stream_create: 'catalog=1&codec=ogg&name=New&url=http%3A%2F%2Fradio.example%2Flive.ogg',
  live_stream_delete: first,
  live_stream_edit: 'filter=1&name=Other',
  localplay: 'command=stop',
  collection_items: first,
  playlist_folder_items: first,
  playlist: first,
  playlist_add: 'filter=1&id=1&object_type=song',
  playlist_add_song: 'filter=1&song=1',
  playlist_create: 'name=New&type=private',
  playlist_delete: first,
  playlist_edit: 'filter=1&name=Other',
  playlist_hash: first,
  playlist_remove: 'filter=1&track=1',
  playlist_remove_song: 'filter=1&track=1',
  playlist_songs: first,
  podcast: first,
  podcast_create: 'catalog=4&url=https%3A%2F%2Ftalks.example%2Ffeed',
  podcast_delete: first,
  podcast_edit: 'filter=1&title=Other',
  podcast_episode: first,
  podcast_episode_delete: first,
  podcast_episodes: first,
  preference_create: 'filter=temp&type=boolean&category=interface&default=0',
  preference_delete: 'filter=temp',
  preference_edit: 'filter=unique_playlist&value=1',
  player: `filter=1&type=song&state=play`,
  rate: 'type=song&filter=1&rating=5',
  record_play: `id=1&${NAMED_DATE}`,
  share: first,
  share_create: 'type=song&filter=1',
  share_delete: first,
  share_edit: 'filter=1&stream=1',
  scrobble: `song=Night%2C%20part%201&artist=The%20Harbour%20Lights&album=The%20Long%20Night&${NAMED_DATE}`,
  search_songs: 'filter=night',
  smartlist: first,
  smartlist_delete: first,
  smartlist_songs: first,
  song: first,
  song_delete: first,
  song_tags: first,
  stats: 'type=song&filter=newest',
  system_preference: 'filter=unique_playlist',
  tag: first,
  tag_albums: first,
  tag_artists: first,
  user_preference: 'filter=unique_playlist',
  tag_songs: first,
  timeline: 'username=listener',
  toggle_follow: 'username=listener',
  update_art: 'type=album&id=1',
  update_artist_info: 'id=1',
  update_from_tags: 'type=song&id=1',
  update_podcast: first,
  user_create: `username=temp_user&password=${SHA}&email=temp%40example.org`,
  user_delete: 'username=listener',
  user_edit: 'username=listener&website=example.org',
  user_update: 'username=listener&website=example.org',
  register: `username=temp_user&password=${SHA}&email=temp%40example.org`,
  lost_password: `auth=${SHA}`,
  video: first,
  url_to_song: 'url=http%3A%2F%2Fserver.example%2Fplay%2Findex.php%3Foid%3D1',
};

/** Recordings whose call does not follow from their name alone. */
const special: Readonly<Record<string, ReplayCall>> = {
  get_external_metadata: { query: 'action=get_external_metadata&type=album&filter=1' },
  'get_external_metadata (getExternalMetadataSongsFetchMetadata)': { query: 'action=get_external_metadata&type=song&filter=1' },
  'get_external_metadata (getExternalMetadataArtistsFetchMetadata)': { query: 'action=get_external_metadata&type=artist&filter=1' },
  'get_external_metadata (getExternalMetadataLabelsFetchMetadata)': { query: 'action=get_external_metadata&type=label&filter=1' },
  'playlist_add_song (error)': { query: 'action=playlist_add_song&filter=1&song=1&check=1' },
  'playlist_create (playlists)': { query: 'action=playlist_create&name=New&type=private' },
  'playlist_generate (song)': { query: 'action=playlist_generate&limit=4' },
  'playlist_generate (index)': { query: 'action=playlist_generate&limit=4&format=index' },
  'playlist_generate (id)': { query: 'action=playlist_generate&limit=4&format=id' },
  'preference_create (user preferences)': { query: 'action=user_preferences' },
  'preference_edit (user preference)': { query: 'action=user_preference&filter=unique_playlist' },
  'album_disks (error)': { query: 'action=album_disks&filter=999' },
  'browse (video catalog)': { query: 'action=browse&type=catalog&filter=5&catalog=5' },
  'browse (podcast catalog)': { query: 'action=browse&type=catalog&filter=4&catalog=4' },
  'browse (podcast)': { query: 'action=browse&type=podcast&filter=1&catalog=4' },
  'browse (podcast_catalog)': { query: 'action=browse&type=catalog&filter=4' },
  'podcast (include episodes)': { query: 'action=podcast&filter=1&include=episodes' },
  'podcast_create (podcasts)': { query: 'action=podcast_create&catalog=4&url=https%3A%2F%2Ftalks.example%2Ffeed' },
  'podcast_delete (error)': { query: 'action=podcast_delete' },
  'index (podcast_with_include)': { query: 'action=index&type=podcast&include=1' },
  'bookmark (with include)': { query: 'action=bookmark&filter=1&include=1' },
  'bookmark (with_include)': { query: 'action=bookmark&filter=1&include=1' },
  'bookmark (create)': { query: 'action=bookmark_create&type=song&filter=1&position=0&client=replay' },
  'bookmark_create (bookmark)': { query: 'action=bookmark&filter=1' },
  'bookmark_edit (bookmark)': { query: 'action=bookmark&filter=1' },
  'bookmark_edit (bookmark_create)': { query: 'action=bookmark_create&type=song&filter=1&position=0&client=replay' },
  'bookmark_edit (bookmark with include)': { query: 'action=bookmark_edit&type=bookmark&filter=1&position=10&include=1' },
  'bookmark_edit (bookmark_with_include)': { query: 'action=bookmark_edit&type=bookmark&filter=1&position=10&include=1' },
  'bookmarks (with include)': { query: 'action=bookmarks&include=1' },
  'get_bookmark (show all)': { query: 'action=get_bookmark&type=song&filter=1&all=1' },
  'get_bookmark (with include)': { query: 'action=get_bookmark&type=song&filter=1&include=1' },
  browse: { query: 'action=browse&type=catalog&filter=1&catalog=1' },
  'browse (root)': { query: 'action=browse&type=root' },
  'browse (catalog)': { query: 'action=browse&type=catalog&filter=1&catalog=1' },
  'browse (music catalog)': { query: 'action=browse&type=catalog&filter=1&catalog=1' },
  'browse (artist)': { query: 'action=browse&type=artist&filter=1&catalog=1' },
  'browse (album)': { query: 'action=browse&type=album&filter=1&catalog=1' },
  'catalog_action (add to catalog)': { query: 'action=catalog_action&catalog=1&task=add_to_catalog' },
  'catalog_action (catalogActionUpdate)': { query: 'action=catalog_action&catalog=1&task=update_catalog' },
  'catalog_action (catalogActionVerify)': { query: 'action=catalog_action&catalog=1&task=verify_catalog' },
  'catalog_action (error)': { query: 'action=catalog_action&catalog=1&task=clean' },
  'catalog_create (catalogs)': { query: 'action=catalog_create&name=more&path=/music/more' },
  democratic: { query: 'action=democratic&method=vote&oid=1' },
  'democratic (vote)': { query: 'action=democratic&method=vote&oid=1' },
  'democratic (playlist)': { query: 'action=democratic&method=playlist' },
  'democratic (play)': { query: 'action=democratic&method=play' },
  'error-4700': { query: 'action=handshake', server: 'closed' },
  'error-4701': { query: 'action=songs', as: 'nobody' },
  'error-4702': { query: 'action=songs', server: 'broken' },
  'error-4703': { query: 'action=localplay&command=add&type=broadcast&filter=1&oid=1' },
  'localplay (status)': { query: 'action=localplay&command=status' },
  'error-4704': { query: 'action=song&filter=999' },
  'error-4705': { query: 'action=no_such_thing' },
  'error-4706': { query: 'action=get_indexes' },
  'error-4710': { query: 'action=song' },
  'error-4742': { query: 'action=catalog_add&name=x&path=/x', as: 'listener' },
  'flag (flagAlbums)': { query: 'action=flag&type=album&filter=1&flag=1' },
  'followers (error)': { query: 'action=followers&username=lonely' },
  'following (error)': { query: 'action=following&username=lonely' },
  folders: { query: 'action=folders&filter=1' },
  'folders (root)': { query: 'action=folders&filter=-1' },
  'get_similar (getSimilarSongs)': { query: 'action=get_similar&type=song&filter=1' },
  'handshake (error)': { query: 'action=handshake&user=admin&auth=wrong&timestamp=1', as: 'nobody' },
  'ping (no auth)': { query: 'action=ping', as: 'nobody' },
  'rate (rateAlbums)': { query: 'action=rate&type=album&filter=1&rating=3' },
  'scrobble (error)': { query: `action=scrobble&song=no%20such&artist=nobody&album=nothing&${NAMED_DATE}` },
  'search_group (all)': { query: 'action=search_group&type=all&operator=or&rule_1=title&rule_1_operator=0&rule_1_input=e' },
  'search_group (music)': { query: 'action=search_group&type=music&operator=or&rule_1=title&rule_1_operator=0&rule_1_input=e' },
  'update_from_tags (updateFromTagsSongs)': { query: 'action=update_from_tags&type=song&id=1', server: 'broken' },
  'share_create (share)': { query: 'action=share_create&type=song&filter=1' },
  'share_delete (error)': { query: 'action=share_delete&filter=999' },
  'user (disabled)': { query: 'action=user&username=gone' },
  'user_create (error)': { query: `action=user_create&username=temp_user&password=${SHA}&email=broken` },
  'user_create (access error)': { query: `action=user_create&username=x&password=${SHA}&email=x%40example.org`, as: 'listener' },
  'user_edit (access error)': { query: 'action=user_edit&username=admin', as: 'listener' },
  'user_update (access error)': { query: 'action=user_update&username=admin', as: 'listener' },
  'user_delete (access error)': { query: 'action=user_delete&username=admin', as: 'listener' },
  'register (error)': { query: `action=register&username=temp_user&password=${SHA}&email=broken`, as: 'nobody' },
  'search_group (podcast)': { query: 'action=search_group&type=podcast&operator=or&rule_1=title&rule_1_operator=0&rule_1_input=e' },
  'user (error)': { query: 'action=user&username=missing_user' },
};

/** Recordings of version 6 and older that show how a withdrawn action is refused, and other calls that one version makes in its own way. */
const byVersion: Readonly<Record<string, ReplayCall>> = {
  '8 stats': { query: 'action=stats&type=playlist&filter=newest' },
  '8 search (videos)': { query: 'action=search&type=video&rule_1=file&rule_1_operator=0&rule_1_input=live' },
  '8 stats (deleted videos)': { query: 'action=stats&type=video&filter=newest' },
  '8 search (podcasts)': { query: 'action=search&type=podcast&rule_1=title&rule_1_operator=0&rule_1_input=e&operator=or' },
  '8 search (podcast_episodes)': { query: 'action=search&type=podcast_episode&rule_1=title&rule_1_operator=0&rule_1_input=e' },
  '8 stats (statsPodcastEpisodes)': { query: 'action=stats&type=podcast_episode&filter=newest' },
  '8 stats (statsPodcasts)': { query: 'action=stats&type=podcast&filter=newest' },
  '4 get_indexes (podcast episode)': { query: 'action=get_indexes&type=podcast' },
  '5 get_indexes (podcast episode)': { query: 'action=get_indexes&type=podcast' },
  '5 podcast_delete': { query: 'action=podcast_delete&filter=999' },
  '5 get_similar': { query: 'action=get_similar&type=song&filter=1' },
  '6 get_similar': { query: 'action=get_similar&type=song&filter=1' },
  '6 error-4706': { query: 'action=tags' },
  '5 error-4706': { query: 'action=tags' },
};

const includes = (variant: string): string => {
  if (variant === '(with include)') return '&include=songs,albums';
  const named = /^\(with include (?<what>[\w,]+)\)$/.exec(variant);
  return named ? `&include=${named.groups?.['what'] ?? ''}` : '';
};

const TYPED: ReadonlySet<string> = new Set([
  'list',
  'index',
  'get_indexes',
  'stats',
  'browse',
  'search',
  'advanced_search',
  'search_rules',
  'search_group',
]);
const SEARCHES: ReadonlySet<string> = new Set(['search', 'advanced_search']);

/** What a recording's call was, by its name. */
export const callOf = (version: number, name: string): ReplayCall => {
  const known = byVersion[`${version} ${name}`] ?? special[name];
  if (known) return known;
  const [action = '', ...rest] = name.split(' ');
  const variant = rest.join(' ');
  if (variant !== '' && TYPED.has(action)) {
    if (action === 'search_rules') return { query: `action=${action}&filter=${type(variant)}` };
    const own = SEARCHES.has(action) ? `&${rule}` : action === 'stats' ? '&filter=newest' : '';
    return { query: `action=${action}&type=${singular(type(variant))}${variant.includes('include') ? '&include=1' : ''}${own}` };
  }
  return { query: `action=${action}&${nameless[action] ?? ''}${includes(variant)}` };
};
