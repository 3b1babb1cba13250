import type { OperationName } from '../../../src/apis/compat/registry/names.js';
import { call, type EndpointCases, golden, nothingThere, podcastTask, simple, why } from './case.js';

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
/** A client that says nothing of what it plays. */
const silent = { name: 'Anything', platform: 'x' };
const limited = (comparison: string) => ({
  ...loudspeaker,
  codecProfiles: [{ type: 'AudioCodec', name: 'mp3', limitations: [{ name: 'audioChannels', comparison, values: ['2'], required: true }] }],
});
const song = { mediaId: 'so-1', mediaType: 'song' };
const episode = { mediaId: 'pe-1', mediaType: 'podcast' };

const station = { name: 'New', streamUrl: 'http://radio.example/a.mp3' };
const playing = { ...song, positionMs: 0, state: 'playing' };
const queued = (): EndpointCases => simple([nothingThere], { success: [golden(''), { as: 'bob' }] });

/** Cases of operations about media, plays, queues, stations and podcasts. */
export const playingCases = {
  stream: {
    success: [call({ id: 'so-1' }), call({ id: 'so-1', format: 'raw' })],
    empty: why.bytes,
    badParameter: [{}, call({ id: 'so-1', maxBitRate: 'x', timeOffset: 'y', size: 'z' }, { code: 'ok' })],
    notFound: [call({ id: 'so-999' }), call({ id: 'al-1' }), call({ id: 'pe-999' })],
    notAllowed: [call({ id: 'so-1' }, { as: 'gus' })],
  },
  download: {
    success: [call({ id: 'so-1' })],
    empty: why.bytes,
    badParameter: [{}],
    notFound: [call({ id: 'so-999' }), call({ id: 'fo-1' }), call({ id: 'so-2' })],
    notAllowed: [call({ id: 'so-1' }, { as: 'gus' })],
  },
  'hls.m3u8': {
    success: [call({ id: 'so-1' }), call({ id: 'so-1', bitRate: ['64', '128'] })],
    empty: why.bytes,
    badParameter: [
      {},
      golden('rate', { id: 'so-1', bitRate: 'fast' }),
      golden('track', { id: 'vi-1', audioTrack: 7 }),
      call({ id: 'vi-1', audioTrack: 'x' }),
      golden('endless', { id: 'vi-2' }, { code: 0 }),
    ],
    notFound: [golden('unknown', { id: 'so-999' }), golden('kind', { id: 'al-1' })],
    notAllowed: [call({ id: 'so-1' }, { as: 'gus' })],
  },
  getTranscodeDecision: {
    success: [
      golden('direct', song, { body: silent }),
      golden('transcode', song, { body: loudspeaker }),
      golden('neither', song, { body: { ...loudspeaker, transcodingProfiles: [] } }),
      golden('podcast', episode, { body: loudspeaker }),
      call(episode, { body: silent }),
      call(song, { body: limited('lessthanequal') }),
    ],
    empty: why.noList,
    badParameter: [
      call({}, { body: silent }),
      golden('missing', { mediaId: 'so-1' }, { body: loudspeaker }),
      call({ ...song, mediaType: 'film' }, { body: silent }),
      golden('body', song),
      golden('unusable', song, { body: { ...loudspeaker, directPlayProfiles: 'mp3' } }),
      call(song, { body: limited('Above') }),
      call(song, { body: { ...silent, directPlayProfiles: [{ protocols: ['gopher'] }] } }),
      call(song, { body: { ...silent, transcodingProfiles: [{ container: 'mp3', audioCodec: 'mp3', protocol: 'rtsp' }] } }),
    ],
    notFound: [
      golden('unknown', { ...song, mediaId: 'so-999' }, { body: loudspeaker }),
      call({ ...episode, mediaId: 'pe-999' }, { body: silent }),
    ],
    notAllowed: [call(song, { body: silent, as: 'gus' })],
  },
  getTranscodeStream: {
    success: 'with the parameters of a decision: compat-media specs of transcoding',
    empty: why.bytes,
    badParameter: [{}, call({ ...song, transcodeParams: 'forged' })],
    notFound: 'whatever is not there has no parameters that could be right',
    notAllowed: [call({ ...song, transcodeParams: 'x' }, { as: 'gus' })],
  },

  scrobble: {
    success: [
      call({ id: ['so-1', 'so-2', 'pe-1'], time: ['1714550000000'] }),
      call({ id: 'so-1', submission: false }),
      call({ id: 'pe-1', submission: false }),
    ],
    empty: why.does,
    badParameter: [{}, call({ id: 'so-1', time: 'never' }, { code: 'ok' })],
    notFound: [call({ id: 'so-999' }), call({ id: 'al-1' })],
    notAllowed: why.everybody,
  },
  reportPlayback: {
    success: [call(playing), call({ ...playing, ...episode }), golden('', { ...playing, state: 'stopped', ignoreScrobble: true })],
    empty: why.does,
    badParameter: [
      {},
      golden('missing', { ...song, state: 'playing' }),
      call({ ...playing, positionMs: -1 }),
      call({ ...playing, state: 'dancing' }),
      golden('rate', { ...playing, playbackRate: 0 }),
      call({ ...playing, playbackRate: 'NaN' }),
    ],
    notFound: [
      golden('unknown', { ...playing, mediaId: 'so-99' }),
      call({ ...playing, ...episode, mediaId: 'pe-999' }),
      call({ ...playing, mediaId: 'pe-1' }),
    ],
    notAllowed: why.everybody,
  },
  getBookmarks: queued(),
  createBookmark: {
    success: [
      golden('', { id: 'so-4', position: '61500.25', comment: 'Where it gets loud' }),
      golden('video', { id: 'vi-1', position: 0 }),
      golden('episode', { id: 'pe-1', position: 1 }),
    ],
    empty: why.does,
    badParameter: [
      {},
      golden('missing', { id: 'so-4' }),
      golden('position', { id: 'so-4', position: -1 }),
      call({ id: 'so-4', position: 'x' }),
    ],
    notFound: [golden('unknown', { id: 'so-999', position: 1 }), golden('kind', { id: 'al-1', position: 1 })],
    notAllowed: why.everybody,
  },
  deleteBookmark: {
    // Only the library of these suites has a bookmark in song 1.
    success: [golden('', { id: 'so-4' }), golden('none', { id: 'so-1' })],
    empty: why.does,
    badParameter: [{}],
    notFound: [call({ id: 'so-2' }), call({ id: 'so-999' })],
    notAllowed: why.everybody,
  },
  getPlayQueue: queued(),
  getPlayQueueByIndex: queued(),
  savePlayQueue: {
    success: [
      golden('', { id: ['so-4', '2', 'so-4'], current: '2', position: 1000 }),
      call({ id: ['so-4', 'so-2'], current: 'so-2', position: 10 }),
      golden('clear'),
    ],
    empty: why.does,
    badParameter: [
      golden('missing', { id: ['so-4', 'so-2'] }),
      golden('other', { id: ['so-4', 'so-2'], current: 'so-1' }),
      call({ id: 'so-4', current: 'so-4', position: 'x' }),
    ],
    notFound: [golden('unknown', { id: ['so-4', 'so-999'], current: 'so-999' })],
    notAllowed: why.everybody,
  },
  savePlayQueueByIndex: {
    success: [golden('', { id: ['so-4', 'vi-1', 'so-4'], currentIndex: 2, position: 1000 }), {}],
    empty: why.does,
    badParameter: [
      golden('missing', { id: 'so-4' }),
      golden('range', { id: ['so-4', 'so-2'], currentIndex: 2 }),
      golden('negative', { id: ['so-4', 'so-2'], currentIndex: -1 }),
      golden('idle', { currentIndex: 0 }),
      call({ id: 'so-4', currentIndex: 'x' }),
    ],
    notFound: 'what nobody knows is left out of a queue',
    notAllowed: why.everybody,
  },
  jukeboxControl: {
    success: [
      golden('get', { action: 'get' }),
      golden('status', { action: 'status' }),
      golden('set', { action: 'set', id: ['so-2', 'so-1'] }),
      golden('skip', { action: 'skip', index: 1, offset: 30 }),
      golden('setGain', { action: 'setGain', gain: 0.4 }),
    ],
    empty: 'an empty queue: jukebox.int.spec.ts',
    badParameter: [
      golden('missing'),
      golden('action', { action: 'dance' }),
      golden('skip-missing', { action: 'skip' }),
      golden('add-missing', { action: 'add' }),
      call({ action: 'skip', index: 'x' }),
      call({ action: 'setGain', gain: 'loud' }),
      golden('gain', { action: 'setGain', gain: 1.5 }),
    ],
    notFound: [golden('add-unknown', { action: 'add', id: ['so-1', 'so-999'] }), call({ action: 'add', id: 'so-999' })],
    notAllowed: [call({ action: 'get' }, { as: 'gus' })],
  },

  getInternetRadioStations: simple([nothingThere], { notAllowed: why.onlySeen }),
  createInternetRadioStation: {
    success: [golden('', station), call({ ...station, homepageUrl: 'http://radio.example' })],
    empty: why.does,
    badParameter: [
      {},
      golden('missing', { name: 'New' }),
      golden('address', { ...station, streamUrl: 'ftp://radio.example' }),
      call({ ...station, streamUrl: 'javascript:alert(1)' }),
    ],
    notFound: why.namesNothing,
    notAllowed: [call(station, { as: 'bob' })],
  },
  updateInternetRadioStation: {
    success: [golden('', { ...station, id: 'li-1' })],
    empty: why.does,
    badParameter: [{}, call({ id: 'li-1', name: 'Radio' }), call({ ...station, id: 'li-1', streamUrl: 'no address' })],
    notFound: [golden('unknown', { id: 'li-99', name: 'New', streamUrl: 'http://radio.example' }), call({ ...station, id: 'so-1' })],
    notAllowed: [call({ ...station, id: 'li-1' }, { as: 'bob' })],
  },
  deleteInternetRadioStation: {
    success: [golden('', { id: 'li-1' })],
    empty: why.does,
    badParameter: [{}],
    notFound: [golden('unknown', { id: 'li-99' })],
    notAllowed: [call({ id: 'li-1' }, { as: 'bob' })],
  },

  getPodcasts: {
    success: [
      golden(''),
      call({ id: 'po-1' }),
      golden('one', { id: 'po-1', includeEpisodes: false }),
      call({ includeEpisodes: false }, { as: 'gus' }),
    ],
    empty: [nothingThere],
    badParameter: [call({ includeEpisodes: 'x' }, { code: 'ok' })],
    notFound: [golden('unknown', { id: 'po-99' }), call({ id: 'pe-1' }), call({ id: 'po-1' }, { nothingThere: true })],
    notAllowed: why.onlySeen,
  },
  getNewestPodcasts: {
    success: [{}, golden('', { count: 2 })],
    empty: [call({ count: 0 }), nothingThere],
    badParameter: [call({ count: 'x' }, { code: 'ok' })],
    notFound: why.namesNothing,
    notAllowed: why.onlySeen,
  },
  getPodcastEpisode: {
    success: [golden('', { id: 'pe-1' }), call({ id: 'pe-3' }, { as: 'gus' })],
    empty: why.noList,
    badParameter: [golden('missing'), call({ id: '' })],
    notFound: [golden('unknown', { id: 'pe-99' }), call({ id: 'po-1' }), call({ id: 'nonsense' })],
    notAllowed: why.onlySeen,
  },
  createPodcastChannel: {
    // No catalog of the fixture gathers podcasts: podcast.int.spec.ts has one.
    success: 'with a catalog of podcasts: compat/podcasts.int.spec.ts',
    empty: why.does,
    badParameter: [golden('missing'), call({ url: '' }), golden('nowhere', { url: 'https://talks.example/feed' }, { code: 0 })],
    notFound: why.namesNothing,
    notAllowed: [call({ url: 'http://example.org/feed' }, { as: 'bob' }), { as: 'gus' }],
  },
  deletePodcastChannel: podcastTask('po-1'),
  deletePodcastEpisode: podcastTask('pe-1'),
  downloadPodcastEpisode: podcastTask('pe-2'),
  refreshPodcasts: simple(why.does, { notAllowed: [{ as: 'bob' }, { as: 'gus' }] }),
} satisfies Partial<Record<OperationName, EndpointCases>>;
