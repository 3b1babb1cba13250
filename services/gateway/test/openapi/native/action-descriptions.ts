import type { ActionName } from '../../../src/apis/native/registry/index.js';
import { activityObject, shoutObject } from '../../../src/apis/native/objects/activity.object.js';
import { albumDiskObject } from '../../../src/apis/native/objects/album-disk.object.js';
import { albumObject } from '../../../src/apis/native/objects/album.object.js';
import { artistObject } from '../../../src/apis/native/objects/artist.object.js';
import { bookmarkObject } from '../../../src/apis/native/objects/bookmark.object.js';
import { catalogObject } from '../../../src/apis/native/objects/catalog.object.js';
import { collectionObject, playlistFolderObject } from '../../../src/apis/native/objects/collection.object.js';
import { deletedSongObject } from '../../../src/apis/native/objects/deleted-song.object.js';
import { democraticSongObject } from '../../../src/apis/native/objects/democratic-song.object.js';
import { genreObject } from '../../../src/apis/native/objects/genre.object.js';
import { heardObject, listeningObject } from '../../../src/apis/native/objects/listening.object.js';
import { labelObject } from '../../../src/apis/native/objects/label.object.js';
import { licenseObject } from '../../../src/apis/native/objects/license.object.js';
import { liveStreamObject } from '../../../src/apis/native/objects/live-stream.object.js';
import { localplaySongObject } from '../../../src/apis/native/objects/localplay.object.js';
import { nowPlayingObject } from '../../../src/apis/native/objects/now-playing.object.js';
import { playQueueObject } from '../../../src/apis/native/objects/play-queue.object.js';
import { playlistHashObject, playlistObject } from '../../../src/apis/native/objects/playlist.object.js';
import { deletedEpisodeObject, episodeObject, podcastObject } from '../../../src/apis/native/objects/podcast.object.js';
import { preferenceObject } from '../../../src/apis/native/objects/preference.object.js';
import { handshakeObject, pingObject, serverObject } from '../../../src/apis/native/objects/session.object.js';
import { shareObject } from '../../../src/apis/native/objects/share.object.js';
import { smartlistRulesObject } from '../../../src/apis/native/objects/smartlist-rules.object.js';
import { songTagObject } from '../../../src/apis/native/objects/song-tag.object.js';
import { songObject } from '../../../src/apis/native/objects/song.object.js';
import { sonicMatchObject } from '../../../src/apis/native/objects/sonic-match.object.js';
import { userObject, userSummaryObject } from '../../../src/apis/native/objects/user.object.js';
import { captionsObject, deletedVideoObject, videoObject } from '../../../src/apis/native/objects/video.object.js';
import { initialObject } from '../../../src/apis/native/objects/initial.object.js';
import { yearObject } from '../../../src/apis/native/objects/year.object.js';
import { arrayOf } from '../schema-set.js';
import { bareList, deleted, list, one, oneOf, part, shape, success, type ActionDescription, type Answer } from './answer.js';
import * as shapes from './shapes.js';

const text = part.text;
const searchRule = {
  rule_1: { ...text, description: 'Name of the first rule; further rules are numbered on.' },
  rule_1_operator: text,
  rule_1_input: text,
};
const rule = {
  type: { ...text, description: 'Type of the objects; song when absent.' },
  operator: { enum: ['and', 'or'], default: 'and' },
  random: text,
  ...searchRule,
  words: {
    ...text,
    description:
      'What somebody types, instead of rules: songs, albums, artists, playlists and videos are found also when it is misspelt or unfinished, 200 of a type at most, the best first.',
  },
  offset: { type: 'integer', minimum: 0, default: 0 },
  limit: text,
  positions: {
    ...text,
    description: 'Positions in the ordered list, from 0, separated by commas: these instead of a page. Since version 8.',
  },
};

const row = (summary: string, answer: Answer | 'media', more?: ActionDescription['more']): ActionDescription => ({
  summary,
  answer,
  ...(more && { more }),
});
const bookmarks = oneOf(one(bookmarkObject), list(bookmarkObject));
const generated: Answer = (schemas, fixed) =>
  oneOf(list(songObject), () => arrayOf(schemas.profile.version >= 8 ? part.id : { type: 'integer' }))(schemas, fixed);
const artUpdate = shape(() => ({ success: text, art: text }), ['art']);
const democratic = oneOf(
  bareList(democraticSongObject),
  shape(() => ({ method: text, result: part.boolean })),
  shape(() => ({ url: text })),
);

/** Summary and answer of every action. Complete by type; golden answers are compared with it. */
export const actionDescriptions: Readonly<Record<ActionName, ActionDescription>> = {
  advanced_search: row('Finds objects of one type by rules or words', shapes.found, rule),
  album: row('Shows an album', one(albumObject)),
  album_disk: row('Shows a disk of an album', one(albumDiskObject)),
  album_disk_songs: row('Lists the songs of a disk', list(songObject)),
  album_disks: row('Lists the disks of an album', list(albumDiskObject)),
  album_songs: row('Lists the songs of an album', list(songObject)),
  albums: row('Lists albums', list(albumObject)),
  artist: row('Shows an artist', one(artistObject)),
  artist_albums: row('Lists the albums of an artist', list(albumObject)),
  artist_songs: row('Lists the songs of an artist', list(songObject)),
  artists: row('Lists artists', list(artistObject)),
  bookmark: row('Shows the bookmark of an object, or one by its id', bookmarks),
  bookmark_create: row('Sets a bookmark in a song, video or episode', bookmarks),
  bookmark_delete: row('Deletes a bookmark', success),
  bookmark_edit: row('Moves a bookmark', bookmarks),
  bookmarks: row("Lists the caller's bookmarks", list(bookmarkObject)),
  browse: row('Lists the names one level below a catalog, artist, album or podcast', shapes.browsed),
  catalog: row('Shows a catalog', one(catalogObject)),
  catalog_action: row('Starts a scan of a catalog', success),
  catalog_add: row('Adds a catalog', one(catalogObject)),
  catalog_create: row('Adds a catalog', one(catalogObject)),
  catalog_delete: row('Deletes a catalog', success),
  catalog_file: row('Adds, checks, cleans or removes one file of a catalog', success),
  catalog_folder: row('Adds, checks, cleans or removes one folder of a catalog', success),
  catalogs: row('Lists catalogs', list(catalogObject)),
  collection: row('Shows a collection', bareList(collectionObject)),
  collection_add: row('Adds an object to a collection', success),
  collection_create: row('Makes a collection', bareList(collectionObject)),
  collection_delete: row('Deletes a collection', success),
  collection_edit: row('Changes a collection', bareList(collectionObject)),
  collection_items: row('Shows a collection with its entries', shapes.collectionContents),
  collection_remove: row('Removes an entry from a collection', success),
  collections: row('Lists collections', bareList(collectionObject)),
  deleted_podcast_episodes: row('Lists deleted episodes', deleted(deletedEpisodeObject)),
  deleted_songs: row('Lists deleted songs', deleted(deletedSongObject)),
  deleted_videos: row('Lists deleted videos', deleted(deletedVideoObject)),
  democratic: row('Votes for the next song, lists the voted songs or tells their play address', democratic),
  download: row('Sends the original file, or an archive of several', 'media'),
  flag: row('Marks an object as favourite, or takes the mark away', success),
  folders: row('Shows a folder with its entries', shapes.browsedFolder),
  followers: row('Lists who follows an account', bareList(userSummaryObject)),
  following: row('Lists whom an account follows', bareList(userSummaryObject)),
  friends_timeline: row('Lists what followed accounts did', bareList(activityObject)),
  genre: row('Shows a genre', one(genreObject)),
  genre_albums: row('Lists the albums of a genre', list(albumObject)),
  genre_artists: row('Lists the artists of a genre', list(artistObject)),
  genre_songs: row('Lists the songs of a genre', list(songObject)),
  genres: row('Lists genres', list(genreObject)),
  get_art: row('Sends the picture of an object', 'media'),
  get_bookmark: row('Shows the bookmark of an object', bookmarks),
  get_external_metadata: row('Asks metadata providers about an object', shapes.externalMetadata),
  get_indexes: row('Lists whole objects of one type', shapes.indexed),
  get_lyrics: row('Shows the lyrics of a song by source', shapes.lyrics),
  get_similar: row('Lists similar songs or artists', shapes.similar),
  goodbye: row('Ends a session', success, { auth: text }),
  handshake: row('Opens a session', one(handshakeObject), { auth: text, user: text, timestamp: text, version: text }),
  heard: row('Lists what the caller heard most in a period, or for the first time', bareList(heardObject)),
  index: row('Lists the ids of one type, with those of their children on request', shapes.ids),
  initials: row('Lists the first letters, or years, of an ordered list with their positions', list(initialObject)),
  label: row('Shows a label', one(labelObject)),
  label_artists: row('Lists the artists of a label', list(artistObject)),
  labels: row('Lists labels', list(labelObject)),
  last_shouts: row('Lists the newest comments', bareList(shoutObject)),
  license: row('Shows a license', one(licenseObject)),
  license_songs: row('Lists the songs under a license', list(songObject)),
  licenses: row('Lists licenses', list(licenseObject)),
  list: row('Lists the names of one type', shapes.names),
  listening: row('Counts what the caller heard in a period, by day and hour', one(listeningObject)),
  live_stream: row('Shows a radio station', one(liveStreamObject)),
  live_stream_create: row('Adds a radio station', one(liveStreamObject)),
  live_stream_delete: row('Deletes a radio station', success),
  live_stream_edit: row('Changes a radio station', one(liveStreamObject)),
  live_streams: row('Lists radio stations', list(liveStreamObject)),
  localplay: row("Controls the server's player", shapes.playerAnswer),
  localplay_songs: row("Lists the queue of the server's player", bareList(localplaySongObject)),
  lost_password: row('Sends a mail to reset a forgotten password', success),
  now_playing: row('Lists what plays now', bareList(nowPlayingObject)),
  ping: row('Tells the server version, and keeps a session alive', oneOf(one(pingObject), one(serverObject)), {
    auth: text,
    version: text,
  }),
  play_queue: row('Shows the queue of the account, from the current song on', one(playQueueObject)),
  play_queue_edit: row('Replaces the queue of the account; its context is kept for clients', success),
  player: row('Reports the state of a player', bareList(nowPlayingObject)),
  playlist: row('Shows a playlist', one(playlistObject)),
  playlist_add: row('Adds songs to a playlist', success),
  playlist_add_song: row('Adds a song to a playlist', success),
  playlist_create: row('Makes a playlist', one(playlistObject)),
  playlist_delete: row('Deletes a playlist', success),
  playlist_edit: row('Changes a playlist', success),
  playlist_folder: row('Shows a playlist folder', list(playlistFolderObject)),
  playlist_folder_add: row('Files a list in a playlist folder', success),
  playlist_folder_create: row('Makes a playlist folder', list(playlistFolderObject)),
  playlist_folder_delete: row('Deletes an empty playlist folder', success),
  playlist_folder_edit: row('Renames, moves or sorts a playlist folder', list(playlistFolderObject)),
  playlist_folder_items: row('Shows a playlist folder with its lists', shapes.folderContents),
  playlist_folder_remove: row('Takes a list out of a playlist folder', success),
  playlist_folders: row('Lists playlist folders', list(playlistFolderObject)),
  playlist_generate: row('Picks songs at random by mode and filter', generated),
  playlist_hash: row('Tells the hash of a playlist, which changes with its songs', one(playlistHashObject)),
  playlist_remove: row('Removes songs from a playlist', success),
  playlist_remove_song: row('Removes a song from a playlist', success),
  playlist_songs: row('Lists the songs of a playlist', list(songObject)),
  playlists: row('Lists playlists', list(playlistObject)),
  podcast: row('Shows a podcast', one(podcastObject)),
  podcast_create: row('Subscribes to a podcast', one(podcastObject)),
  podcast_delete: row('Deletes a podcast', success),
  podcast_edit: row('Changes what is shown of a podcast', success),
  podcast_episode: row('Shows an episode', one(episodeObject)),
  podcast_episode_delete: row('Deletes an episode', success),
  podcast_episodes: row('Lists episodes, newest first', list(episodeObject)),
  podcast_update: row('Fetches the feed of a podcast', success),
  podcasts: row('Lists podcasts', list(podcastObject)),
  preference_create: row('Defines a preference', one(preferenceObject)),
  preference_delete: row('Deletes a defined preference', success),
  preference_edit: row('Changes the value of a preference', one(preferenceObject)),
  random: row('Sends a random song, video or episode', 'media'),
  rate: row('Rates an object with 0 to 5 stars', success),
  record_play: row('Records that a song was played', success),
  register: row('Registers an account', success, { username: text, password: text, email: text, fullname: text }),
  scrobble: row('Records a play of a song by its names', success),
  search: row('Finds objects of one type by rules or words', shapes.found, rule),
  search_group: row('Finds objects of several types by the same rules or words', shapes.foundByType, {
    ...rule,
    filter: text,
    types: text,
  }),
  search_rules: row('Lists the search rules of a type', shapes.rules),
  search_songs: row('Finds songs by a text in any of their names', list(songObject)),
  share: row('Shows a share', one(shareObject)),
  share_create: row('Shares an object', one(shareObject)),
  share_delete: row('Deletes a share', success),
  share_edit: row('Changes the terms of a share', success),
  shares: row("Lists the caller's shares", list(shareObject)),
  smartlist: row('Shows a smartlist', one(playlistObject)),
  smartlist_create: row('Keeps a search for songs as a list', one(playlistObject), searchRule),
  smartlist_delete: row('Deletes a smartlist', success),
  smartlist_edit: row('Changes a smartlist; rules that are sent replace all of its rules', success, searchRule),
  smartlist_rules: row('Shows what a smartlist looks for', one(smartlistRulesObject)),
  smartlist_songs: row('Lists the songs of a smartlist', list(songObject)),
  smartlists: row('Lists smartlists', list(playlistObject)),
  song: row('Shows a song', one(songObject)),
  song_delete: row('Deletes a song with its file', success),
  song_tags: row("Reads the tags of a song's file", one(songTagObject)),
  songs: row('Lists songs', list(songObject)),
  sonic_match: row('Lists songs that sound like a song', bareList(sonicMatchObject)),
  stats: row('Lists the most, latest, least played, best rated or random objects', shapes.ranked),
  stream: row('Sends a song, video or episode, converted on request', 'media'),
  system_preference: row('Shows a preference of the server', oneOf(one(preferenceObject), bareList(preferenceObject))),
  system_preferences: row('Lists the preferences of the server', bareList(preferenceObject)),
  system_update: row('Tells that this server is not updated over the API', success),
  tag: row('Shows a genre', one(genreObject)),
  tag_albums: row('Lists the albums of a genre', list(albumObject)),
  tag_artists: row('Lists the artists of a genre', list(artistObject)),
  tag_songs: row('Lists the songs of a genre', list(songObject)),
  tags: row('Lists genres', list(genreObject)),
  timeline: row('Lists what an account did', bareList(activityObject)),
  toggle_follow: row('Follows an account, or stops to', success),
  update_art: row('Looks for a new picture of an album or artist', artUpdate),
  update_artist_info: row('Asks metadata providers about an artist again', success),
  update_from_tags: row('Reads the tags of files again', success),
  update_podcast: row('Fetches the feed of a podcast', success),
  upload: row('Uploads a file into a catalog', success, { upl: { type: 'string', format: 'binary' } }),
  url_to_song: row('Shows the song of a play address', one(songObject)),
  user: row('Shows an account, the own one by default', one(userObject)),
  user_create: row('Makes an account', success),
  user_delete: row('Deletes an account', success),
  user_edit: row('Changes an account', success),
  user_playlists: row("Lists the caller's playlists", list(playlistObject)),
  user_preference: row("Shows the caller's value of a preference", oneOf(one(preferenceObject), bareList(preferenceObject))),
  user_preferences: row("Lists the caller's preferences", bareList(preferenceObject)),
  user_smartlists: row("Lists the caller's smartlists", list(playlistObject)),
  user_update: row('Changes an account', success),
  users: row('Lists accounts', bareList(userSummaryObject)),
  video: row('Shows a video', one(videoObject)),
  video_captions: row('Lists the captions of a video, with the text of one', bareList(captionsObject)),
  videos: row('Lists videos', list(videoObject)),
  years: row('Counts albums and songs by year', list(yearObject)),
};
