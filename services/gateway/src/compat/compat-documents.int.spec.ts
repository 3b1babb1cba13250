import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AnnotationWriter } from '../testkit/annotation-writer.js';
import { compatServer, NOW_MS, type CallParams, type CompatServer } from '../testkit/compat-server.js';
import { seedFixtureLibrary } from '../testkit/fixture-library.js';
import { seedCommunity } from '../testkit/community-fixture.js';
import { fixtureSongs } from '../testkit/fixture-songs.js';
import { seedFixtureVideos } from '../testkit/fixture-videos.js';
import { goldenPath } from '../testkit/golden.js';
import { seedPlaces } from '../testkit/places-fixture.js';
import { seedPlaylists } from '../testkit/playlist-fixture.js';
import { seedStations } from '../testkit/station-fixture.js';
import { seedPodcasts } from '../testkit/podcast-fixture.js';
import { seedSmartlists } from '../testkit/smartlist-fixture.js';
import { seedPlayback } from '../testkit/playback-fixture.js';
import { ShareWriter } from '../testkit/share-writer.js';
import { testReadModel, type TestReadModel } from '../testkit/read-model-database.js';
import { seedTestAccounts } from '../testkit/test-gateway.js';

let model: TestReadModel;
let server: CompatServer;
let artFolder: string;

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedFixtureVideos(model.write);
  await new AnnotationWriter(model.write).seed();
  await seedTestAccounts(model.write);
  await seedStations(model.write);
  await seedPodcasts(model.write);
  await seedPlayback(model.write);
  await seedPlaces(model.write);
  await seedPlaylists(model.write);
  await seedSmartlists(model.write);
  await new ShareWriter(model.write).seed();
  await seedCommunity(model.write);
  artFolder = await mkdtemp(join(tmpdir(), 'continuo-art-'));
  server = await compatServer(model.read, artFolder);
});

afterAll(async () => {
  await server.app.close();
  await model.close();
  await rm(artFolder, { recursive: true });
});

/** A client that plays little and takes MP3 in the place of everything else. */
const loudspeaker = {
  name: 'Loudspeaker',
  platform: 'test',
  maxAudioBitrate: 512_000,
  maxTranscodingAudioBitrate: 256_000,
  directPlayProfiles: [
    { containers: ['mp3'], audioCodecs: ['mp3'], protocols: ['http'], maxAudioChannels: 2 },
    { containers: ['mp4'], audioCodecs: ['aac'], protocols: [], maxAudioChannels: 2 },
  ],
  transcodingProfiles: [
    { container: 'flac', audioCodec: 'flac', protocol: 'hls', maxAudioChannels: 2 },
    { container: 'mp3', audioCodec: 'mp3', protocol: 'http', maxAudioChannels: 2 },
  ],
  codecProfiles: [
    {
      type: 'AudioCodec',
      name: 'mp3',
      limitations: [{ name: 'audioBitrate', comparison: 'LessThanEqual', values: ['192000'], required: true }],
    },
  ],
};

/** Every document whose bytes are fixed, by the name of its golden file. */
const cases: [name: string, operation: string, params?: CallParams, body?: object][] = [
  ['ping', 'ping'],
  ['getLicense', 'getLicense'],
  ['getOpenSubsonicExtensions', 'getOpenSubsonicExtensions'],
  ['tokenInfo-password', 'tokenInfo'],
  ['createUser', 'createUser', { username: 'new', password: 'enc:6e6577', email: 'new@example.org' }],
  ['createUser-taken', 'createUser', { username: 'taken', password: 'p', email: 'new@example.org' }],
  ['createUser-address', 'createUser', { username: 'new', password: 'p', email: 'nowhere' }],
  ['createUser-folders', 'createUser', { username: 'new', password: 'p', email: 'new@example.org', musicFolderId: '1' }],
  ['updateUser', 'updateUser', { username: 'listener', maxBitRate: 128 }],
  ['updateUser-bitrate', 'updateUser', { username: 'listener', maxBitRate: 127 }],
  ['deleteUser', 'deleteUser', { username: 'listener' }],
  ['deleteUser-unknown', 'deleteUser', { username: 'nobody' }],
  ['deleteUser-administrator', 'deleteUser', { username: 'admin' }],
  ['changePassword', 'changePassword', { username: 'listener', password: 'enc:6e6577' }],
  ['getMusicFolders', 'getMusicFolders'],
  ['getIndexes', 'getIndexes'],
  ['getIndexes-one-folder', 'getIndexes', { musicFolderId: 2 }],
  ['getIndexes-unchanged', 'getIndexes', { ifModifiedSince: 9_999_999_999_999 }],
  ['getMusicDirectory-catalog', 'getMusicDirectory', { id: '1' }],
  ['getMusicDirectory-folder', 'getMusicDirectory', { id: 'fo-3' }],
  ['getMusicDirectory-artist', 'getMusicDirectory', { id: 'ar-1' }],
  ['getMusicDirectory-album', 'getMusicDirectory', { id: 'al-1' }],
  ['getArtists', 'getArtists'],
  ['getArtist', 'getArtist', { id: 'ar-1' }],
  ['getArtist-credited-only', 'getArtist', { id: 'ar-2' }],
  ['getAlbum', 'getAlbum', { id: 'al-1' }],
  ['getSong', 'getSong', { id: 'so-1' }],
  ['getSong-untagged', 'getSong', { id: 'so-4' }],
  ['getGenres', 'getGenres'],
  ['getAlbumList-newest', 'getAlbumList', { type: 'newest' }],
  ['getAlbumList2-alphabeticalByName', 'getAlbumList2', { type: 'alphabeticalByName' }],
  ['getAlbumList2-starred', 'getAlbumList2', { type: 'starred' }],
  ['getAlbumList-highest', 'getAlbumList', { type: 'highest' }],
  ['getSongsByGenre', 'getSongsByGenre', { genre: 'folk' }],
  ['search3', 'search3', { query: 'harbour' }],
  ['search2', 'search2', { query: 'harbour' }],
  ['search', 'search', { title: 'opening', artist: 'zo' }],
  ['search-any', 'search', { any: 'harbour', count: 1, offset: 1 }],
  ['search3-everything', 'search3', { query: '""' }],
  ['getLyrics', 'getLyrics', { artist: 'The Harbour Lights', title: 'Opening Æther' }],
  ['getLyrics-none', 'getLyrics', { artist: 'Nobody', title: 'Nothing' }],
  ['getLyricsBySongId', 'getLyricsBySongId', { id: 'so-1' }],
  ['getLyricsBySongId-enhanced', 'getLyricsBySongId', { id: 'so-1', enhanced: true }],
  ['getArtistInfo2', 'getArtistInfo2', { id: 'ar-1' }],
  ['getAlbumInfo2', 'getAlbumInfo2', { id: 'al-1' }],
  ['getUser', 'getUser', { username: 'ada' }],
  ['getTopSongs', 'getTopSongs', { id: 'ar-1' }],
  ['getScanStatus', 'getScanStatus'],
  ['getNowPlaying', 'getNowPlaying'],
  ['reportPlayback-rate', 'reportPlayback', { mediaId: 'so-1', mediaType: 'song', positionMs: 0, state: 'playing', playbackRate: 0 }],
  ['reportPlayback-missing', 'reportPlayback', { mediaId: 'so-1', mediaType: 'song', state: 'playing' }],
  ['reportPlayback-unknown', 'reportPlayback', { mediaId: 'so-99', mediaType: 'song', positionMs: 0, state: 'playing' }],
  ['reportPlayback', 'reportPlayback', { mediaId: 'so-1', mediaType: 'song', positionMs: 0, state: 'stopped', ignoreScrobble: true }],
  ['getSimilarSongs', 'getSimilarSongs', { id: 'so-1' }],
  ['getSimilarSongs-album', 'getSimilarSongs', { id: 'al-1', count: 2 }],
  ['getSimilarSongs2', 'getSimilarSongs2', { id: 'ar-1', count: 3 }],
  ['getSonicSimilarTracks', 'getSonicSimilarTracks', { id: 'so-1', count: 2 }],
  ['getSonicSimilarTracks-unanalysed', 'getSonicSimilarTracks', { id: 'so-2' }],
  ['findSonicPath', 'findSonicPath', { startSongId: 'so-1', endSongId: 'so-4', count: 3 }],
  ['getAlbumList2-frequent', 'getAlbumList2', { type: 'frequent', size: 2 }],
  ['getAlbumList2-recent', 'getAlbumList2', { type: 'recent', size: 2 }],
  ['getChatMessages', 'getChatMessages'],
  ['getChatMessages-since', 'getChatMessages', { since: NOW_MS - 3 * 60_000 }],
  ['getChatMessages-none', 'getChatMessages', { since: NOW_MS }],
  ['addChatMessage', 'addChatMessage', { message: 'hello' }],
  ['createBookmark', 'createBookmark', { id: 'so-4', position: '61500.25', comment: 'Where it gets loud' }],
  ['createBookmark-video', 'createBookmark', { id: 'vi-1', position: 0 }],
  ['createBookmark-missing', 'createBookmark', { id: 'so-4' }],
  ['createBookmark-position', 'createBookmark', { id: 'so-4', position: -1 }],
  ['createBookmark-unknown', 'createBookmark', { id: 'so-999', position: 1 }],
  ['createBookmark-kind', 'createBookmark', { id: 'al-1', position: 1 }],
  ['createBookmark-episode', 'createBookmark', { id: 'pe-1', position: 1 }],
  ['deleteBookmark', 'deleteBookmark', { id: 'so-4' }],
  ['deleteBookmark-none', 'deleteBookmark', { id: 'so-1' }],
  ['getBookmarks', 'getBookmarks'],
  ['getPlayQueueByIndex', 'getPlayQueueByIndex'],
  ['savePlayQueue', 'savePlayQueue', { id: ['so-4', '2', 'so-4'], current: '2', position: 1000 }],
  ['savePlayQueue-clear', 'savePlayQueue'],
  ['savePlayQueue-missing', 'savePlayQueue', { id: ['so-4', 'so-2'] }],
  ['savePlayQueue-other', 'savePlayQueue', { id: ['so-4', 'so-2'], current: 'so-1' }],
  ['savePlayQueue-unknown', 'savePlayQueue', { id: ['so-4', 'so-999'], current: 'so-999' }],
  ['savePlayQueueByIndex', 'savePlayQueueByIndex', { id: ['so-4', 'vi-1', 'so-4'], currentIndex: 2, position: 1000 }],
  ['savePlayQueueByIndex-range', 'savePlayQueueByIndex', { id: ['so-4', 'so-2'], currentIndex: 2 }],
  ['savePlayQueueByIndex-negative', 'savePlayQueueByIndex', { id: ['so-4', 'so-2'], currentIndex: -1 }],
  ['savePlayQueueByIndex-missing', 'savePlayQueueByIndex', { id: 'so-4' }],
  ['savePlayQueueByIndex-idle', 'savePlayQueueByIndex', { currentIndex: 0 }],
  ['getShares', 'getShares'],
  ['createShare', 'createShare', { id: 'so-2', description: 'A song' }],
  ['createShare-several', 'createShare', { id: ['al-1', 'so-2'] }],
  ['createShare-unknown', 'createShare', { id: 'so-999' }],
  ['createShare-playlist', 'createShare', { id: 'pl-1' }],
  ['createShare-smartlist', 'createShare', { id: 'sp-1' }],
  ['createShare-video', 'createShare', { id: 'vi-1' }],
  ['createShare-mixed-video', 'createShare', { id: ['vi-1', 'so-2'] }],
  ['createShare-kind', 'createShare', { id: 'fo-1' }],
  ['createShare-missing', 'createShare'],
  ['updateShare', 'updateShare', { id: 'sh-1', description: 'x', expires: 0 }],
  ['updateShare-unknown', 'updateShare', { id: 'sh-99' }],
  ['deleteShare', 'deleteShare', { id: 'sh-1' }],
  ['deleteShare-unknown', 'deleteShare', { id: 'sh-99' }],
  ['getPlaylists', 'getPlaylists'],
  ['getPlaylists-of', 'getPlaylists', { username: 'listener' }],
  ['getPlaylists-unknown', 'getPlaylists', { username: 'nobody' }],
  ['getPlaylist', 'getPlaylist', { id: 'pl-1' }],
  ['getPlaylist-empty', 'getPlaylist', { id: 'pl-2' }],
  ['getPlaylist-system', 'getPlaylist', { id: 'pl-4' }],
  ['getPlaylist-smartlist', 'getPlaylist', { id: 'sp-1' }],
  ['getPlaylist-smartlist-unknown', 'getPlaylist', { id: 'sp-99' }],
  ['deletePlaylist-smartlist', 'deletePlaylist', { id: 'sp-1' }],
  ['updatePlaylist-smartlist', 'updatePlaylist', { playlistId: 'sp-1', name: 'x' }],
  ['getPlaylist-unknown', 'getPlaylist', { id: 'pl-99' }],
  ['createPlaylist', 'createPlaylist', { name: 'New', songId: ['so-1', 'so-2'] }],
  ['createPlaylist-replace', 'createPlaylist', { playlistId: 'pl-1', songId: ['so-1'] }],
  ['createPlaylist-missing', 'createPlaylist', { songId: 'so-1' }],
  ['createPlaylist-unknown-song', 'createPlaylist', { name: 'New', songId: 'so-999' }],
  ['updatePlaylist', 'updatePlaylist', { playlistId: 'pl-1', name: 'x', comment: 'y', songIndexToRemove: 0, songIdToAdd: 'so-1' }],
  ['updatePlaylist-index', 'updatePlaylist', { playlistId: 'pl-1', songIndexToRemove: 3 }],
  ['updatePlaylist-unknown', 'updatePlaylist', { playlistId: 'pl-99' }],
  ['deletePlaylist', 'deletePlaylist', { id: 'pl-2' }],
  ['deletePlaylist-unknown', 'deletePlaylist', { id: 'pl-99' }],
  ['getVideos', 'getVideos'],
  ['getVideoInfo', 'getVideoInfo', { id: 'vi-1' }],
  ['getVideoInfo-bare', 'getVideoInfo', { id: 'vi-2' }],
  ['getVideoInfo-unknown', 'getVideoInfo', { id: 'vi-99' }],
  ['getCaptions-none', 'getCaptions', { id: 'vi-2' }],
  ['getCaptions-unknown', 'getCaptions', { id: 'vi-99' }],
  ['getCaptions-missing', 'getCaptions'],
  ['getCaptions-format', 'getCaptions', { id: 'vi-1', format: 'ttml' }],
  ['hls-missing', 'hls'],
  ['hls-unknown', 'hls.m3u8', { id: 'so-999' }],
  ['hls-kind', 'hls.m3u8', { id: 'al-1' }],
  ['hls-rate', 'hls.m3u8', { id: 'so-1', bitRate: 'fast' }],
  ['hls-track', 'hls.m3u8', { id: 'vi-1', audioTrack: 7 }],
  ['hls-endless', 'hls.m3u8', { id: 'vi-2' }],
  ['getTranscodeDecision-direct', 'getTranscodeDecision', { mediaId: 'so-1', mediaType: 'song' }, { name: 'Anything', platform: 'x' }],
  ['getTranscodeDecision-transcode', 'getTranscodeDecision', { mediaId: 'so-1', mediaType: 'song' }, loudspeaker],
  [
    'getTranscodeDecision-neither',
    'getTranscodeDecision',
    { mediaId: 'so-1', mediaType: 'song' },
    { ...loudspeaker, transcodingProfiles: [] },
  ],
  ['getTranscodeDecision-body', 'getTranscodeDecision', { mediaId: 'so-1', mediaType: 'song' }],
  [
    'getTranscodeDecision-unusable',
    'getTranscodeDecision',
    { mediaId: 'so-1', mediaType: 'song' },
    { ...loudspeaker, directPlayProfiles: 'mp3' },
  ],
  ['getTranscodeDecision-missing', 'getTranscodeDecision', { mediaId: 'so-1' }, loudspeaker],
  ['getTranscodeDecision-unknown', 'getTranscodeDecision', { mediaId: 'so-999', mediaType: 'song' }, loudspeaker],
  ['getTranscodeDecision-podcast', 'getTranscodeDecision', { mediaId: 'pe-1', mediaType: 'podcast' }, loudspeaker],
  ['getPodcasts', 'getPodcasts'],
  ['getPodcasts-one', 'getPodcasts', { id: 'po-1', includeEpisodes: false }],
  ['getPodcasts-unknown', 'getPodcasts', { id: 'po-99' }],
  ['getNewestPodcasts', 'getNewestPodcasts', { count: 2 }],
  ['getPodcastEpisode', 'getPodcastEpisode', { id: 'pe-1' }],
  ['getPodcastEpisode-missing', 'getPodcastEpisode'],
  ['getPodcastEpisode-unknown', 'getPodcastEpisode', { id: 'pe-99' }],
  ['createPodcastChannel-nowhere', 'createPodcastChannel', { url: 'https://talks.example/feed' }],
  ['createPodcastChannel-missing', 'createPodcastChannel'],
  ['deletePodcastChannel', 'deletePodcastChannel', { id: 'po-1' }],
  ['deletePodcastChannel-unknown', 'deletePodcastChannel', { id: 'po-99' }],
  ['deletePodcastEpisode', 'deletePodcastEpisode', { id: 'pe-1' }],
  ['deletePodcastEpisode-unknown', 'deletePodcastEpisode', { id: 'pe-99' }],
  ['downloadPodcastEpisode', 'downloadPodcastEpisode', { id: 'pe-2' }],
  ['downloadPodcastEpisode-unknown', 'downloadPodcastEpisode', { id: 'pe-99' }],
  ['refreshPodcasts', 'refreshPodcasts'],
  ['getInternetRadioStations', 'getInternetRadioStations'],
  ['createInternetRadioStation', 'createInternetRadioStation', { name: 'New', streamUrl: 'http://radio.example/a.mp3' }],
  ['createInternetRadioStation-missing', 'createInternetRadioStation', { name: 'New' }],
  ['createInternetRadioStation-address', 'createInternetRadioStation', { name: 'New', streamUrl: 'ftp://radio.example' }],
  ['updateInternetRadioStation', 'updateInternetRadioStation', { id: 'li-1', name: 'New', streamUrl: 'http://radio.example/a.mp3' }],
  ['updateInternetRadioStation-unknown', 'updateInternetRadioStation', { id: 'li-99', name: 'New', streamUrl: 'http://radio.example' }],
  ['deleteInternetRadioStation', 'deleteInternetRadioStation', { id: 'li-1' }],
  ['deleteInternetRadioStation-unknown', 'deleteInternetRadioStation', { id: 'li-99' }],
  ['getStarred', 'getStarred'],
  ['getStarred2', 'getStarred2'],
  ['getStarred2-one-folder', 'getStarred2', { musicFolderId: 2 }],
  ['star', 'star', { id: 'so-1', albumId: 'al-1' }],
  ['unstar', 'unstar', { artistId: 'ar-2' }],
  ['setRating', 'setRating', { id: 'so-1', rating: 5 }],
  ['getPlayQueue', 'getPlayQueue'],
  ['error-10', 'getSong'],
  ['error-70', 'getSong', { id: 'so-999' }],
  ['error-unknown-operation', 'getEverything'],
];

describe.each([
  ['opensubsonic', 'test'],
  ['subsonic', 'DSub'],
])('documents in the form %s', (form, client) => {
  const named = cases.map(([name, operation, params = {}, sent]) => ({ name, operation, params, sent }));
  it.each(named)('$name', async ({ name, operation, params, sent }) => {
    for (const format of ['xml', 'json']) {
      const { status, body } = await server.call(operation, { ...params, f: format, c: client }, 'ada', sent);
      expect(status).toBe(200);
      await expect(body).toMatchFileSnapshot(goldenPath(`compat/${form}/${name}.${format}`));
    }
  });
});
