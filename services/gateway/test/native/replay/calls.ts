import { listenerCases, unauthenticatedCases } from '../../calls/native/caller.cases.js';
import { annotationCases } from '../../calls/native/annotation.cases.js';
import { queryNamed } from '../../calls/native/calls-named.js';
import { cases } from '../../calls/native/cases.js';
import { SHA } from '../document-world.fixture.js';

/** The call of a recording, for the seeded library. */
export interface ReplayCall {
  /** Query, `action` included. */
  readonly query: string;
  /** Caller; an administrator by default. */
  readonly as?: 'listener' | 'nobody';
  /** Server: with access control off, or with a failing read model. */
  readonly server?: 'open' | 'closed' | 'broken';
}

const type = (name: string): string => name.replace(/^\(/, '').replace(/\)$/, '').replace(' with include', '').replaceAll(' ', '_');
const singular = (name: string): string => (name.endsWith('ies') ? `${name.slice(0, -3)}y` : name.replace(/s$/, ''));

const NAMED_DATE = 'date=1717200000';
const rule = 'rule_1=title&rule_1_operator=0&rule_1_input=e';
/** Parameters of actions that the seeded library needs others for. */
const nameless: Readonly<Record<string, string>> = {
  bookmark_delete: 'type=bookmark&filter=1',
  get_bookmark: 'type=song&filter=1',
  get_similar: 'type=artist&filter=1',
  preference_edit: 'filter=unique_playlist&value=1',
  scrobble: `song=Night%2C%20part%201&artist=The%20Harbour%20Lights&album=The%20Long%20Night&${NAMED_DATE}`,
  stats: 'type=song&filter=newest',
  user_preference: 'filter=unique_playlist',
  user_edit: 'username=listener&website=example.org',
};

/** Calls that do not follow from the recording's name. */
const special: Readonly<Record<string, ReplayCall>> = {
  get_external_metadata: { query: 'action=get_external_metadata&type=album&filter=1' },
  'get_external_metadata (getExternalMetadataSongsFetchMetadata)': { query: 'action=get_external_metadata&type=song&filter=1' },
  'get_external_metadata (getExternalMetadataLabelsFetchMetadata)': { query: 'action=get_external_metadata&type=label&filter=1' },
  'playlist_add_song (error)': { query: 'action=playlist_add_song&filter=1&song=1&check=1' },
  'playlist_generate (song)': { query: 'action=playlist_generate&limit=4' },
  'playlist_generate (index)': { query: 'action=playlist_generate&limit=4&format=index' },
  'playlist_generate (id)': { query: 'action=playlist_generate&limit=4&format=id' },
  'preference_create (user preferences)': { query: 'action=user_preferences' },
  'preference_edit (user preference)': { query: 'action=user_preference&filter=unique_playlist' },
  'album_disks (error)': { query: 'action=album_disks&filter=999' },
  'browse (video catalog)': { query: 'action=browse&type=catalog&filter=5&catalog=5' },
  'browse (podcast catalog)': { query: 'action=browse&type=catalog&filter=4&catalog=4' },
  'browse (podcast)': { query: 'action=browse&type=podcast&filter=1&catalog=4' },
  'podcast (include episodes)': { query: 'action=podcast&filter=1&include=episodes' },
  'podcast_delete (error)': { query: 'action=podcast_delete' },
  'bookmark (with include)': { query: 'action=bookmark&filter=1&include=1' },
  'bookmark_edit (bookmark with include)': { query: 'action=bookmark_edit&type=bookmark&filter=1&position=10&include=1' },
  'bookmarks (with include)': { query: 'action=bookmarks&include=1' },
  'get_bookmark (show all)': { query: 'action=get_bookmark&type=song&filter=1&all=1' },
  'get_bookmark (with include)': { query: 'action=get_bookmark&type=song&filter=1&include=1' },
  'browse (music catalog)': { query: 'action=browse&type=catalog&filter=1&catalog=1' },
  'catalog_action (error)': { query: 'action=catalog_action&catalog=1&task=clean' },
  democratic: { query: 'action=democratic&method=vote&oid=1' },
  'error-4700': { query: 'action=handshake', server: 'closed' },
  'error-4702': { query: 'action=songs', server: 'broken' },
  'error-4710': { query: 'action=song' },
  'followers (error)': { query: 'action=followers&username=lonely' },
  'following (error)': { query: 'action=following&username=lonely' },
  folders: { query: 'action=folders&filter=1' },
  'folders (root)': { query: 'action=folders&filter=-1' },
  'get_similar (getSimilarSongs)': { query: 'action=get_similar&type=song&filter=1' },
  'handshake (error)': { query: 'action=handshake&user=admin&auth=wrong&timestamp=1', as: 'nobody' },
  'scrobble (error)': { query: `action=scrobble&song=no%20such&artist=nobody&album=nothing&${NAMED_DATE}` },
  'update_from_tags (updateFromTagsSongs)': { query: 'action=update_from_tags&type=song&id=1', server: 'broken' },
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

/** Calls of recordings of one version, such as withdrawn actions. */
const byVersion: Readonly<Record<string, ReplayCall>> = {
  '8 stats': { query: 'action=stats&type=playlist&filter=newest' },
  '8 search (videos)': { query: 'action=search&type=video&rule_1=file&rule_1_operator=0&rule_1_input=live' },
  '8 stats (deleted videos)': { query: 'action=stats&type=video&filter=newest' },
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

const asAdministrator: Readonly<Record<string, string>> = { ...cases, ...annotationCases };

/** The call with a golden file of the same name. */
const goldenCall = (name: string): ReplayCall | undefined => {
  if (name in unauthenticatedCases) return { query: unauthenticatedCases[name] ?? '', as: 'nobody' };
  if (name in listenerCases) return { query: listenerCases[name] ?? '', as: 'listener' };
  return name in asAdministrator ? { query: asAdministrator[name] ?? '' } : undefined;
};

/** Call of a recording by its name: one of its own where the libraries differ, else the one with a golden file of that name. */
export const callOf = (version: number, name: string): ReplayCall => {
  const [action = '', ...rest] = name.split(' ');
  const known = byVersion[`${version} ${name}`] ?? special[name] ?? (action in nameless ? undefined : goldenCall(name));
  if (known) return known;
  const variant = rest.join(' ');
  if (variant !== '' && TYPED.has(action)) {
    const own = SEARCHES.has(action) ? `&${rule}` : action === 'stats' ? '&filter=newest' : '';
    return { query: `${queryNamed(`${action} (${singular(type(variant))}${variant.includes('include') ? ' with include' : ''})`)}${own}` };
  }
  const query = action in nameless ? `action=${action}&${nameless[action]}` : (asAdministrator[action] ?? `action=${action}`);
  return { query: `${query}${includes(variant)}` };
};
