import { SHA } from '../../native/document-world.fixture.js';

/** Calls without a session. */
export const unauthenticatedCases: Readonly<Record<string, string>> = {
  'ping (no auth)': 'action=ping',
  'error-4701': 'action=songs',
};

/** Calls of an account without rights over what they name. */
export const listenerCases: Readonly<Record<string, string>> = {
  'error-4742': 'action=catalog_add&name=x&path=/x',
  'localplay (access)': 'action=localplay&command=stop',
  'localplay_songs (access)': 'action=localplay_songs',
  'user (other)': 'action=user&filter=admin',
  'playlists (other)': 'action=playlists',
  'playlist (private)': 'action=playlist&filter=2',
  'smartlists (other)': 'action=smartlists',
  'smartlist (private)': 'action=smartlist&filter=2',
  'smartlist_songs (private)': 'action=smartlist_songs&filter=2',
  'smartlist_delete (access)': 'action=smartlist_delete&filter=1',
  'smartlist_edit (access)': 'action=playlist_edit&filter=smart_1&name=Theirs',
  'collections (other)': 'action=collections',
  'collection (private)': 'action=collection&filter=2',
  'collection_delete (access)': 'action=collection_delete&filter=1',
  'collection_edit (collaborator)': 'action=collection_edit&filter=1&items=song:1&tracks=1',
  'playlist_folder (other)': 'action=playlist_folder&filter=2',
  'playlist_delete (access)': 'action=playlist_delete&filter=1',
  'playlist_edit (collaborator)': 'action=playlist_edit&filter=1&name=Theirs',
  'live_stream_create (access)': 'action=live_stream_create&catalog=1&codec=mp3&name=x&url=http%3A%2F%2Fa.example',
  'live_stream_delete (access)': 'action=live_stream_delete&filter=1',
  'user_create (access)': `action=user_create&username=new&password=${SHA}&email=new%40example.org`,
};
