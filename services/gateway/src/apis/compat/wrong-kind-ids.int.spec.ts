import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WholeCompatWorld } from '../../../test/servers/compat-whole-world.js';
import type { Case } from '../../../test/calls/compat/case.js';
import { endpointCases } from '../../../test/calls/compat/endpoint.cases.js';
import { idPrefixes, type CompatKind } from './ids.js';
import { operationNames, type OperationName } from './registry/names.js';
import { registry } from './registry/registry.js';

let world: WholeCompatWorld;
beforeAll(async () => {
  world = await WholeCompatWorld.start();
});
afterAll(() => world.stop());

const ID_PARAMETERS = ['id', 'albumId', 'artistId', 'songId', 'songIdToAdd', 'playlistId', 'mediaId', 'startSongId', 'endSongId'] as const;
type IdParameter = (typeof ID_PARAMETERS)[number];

type Kinds = readonly CompatKind[];
const lists: Kinds = ['playlist', 'smartlist'];
const media: Kinds = ['song', 'video', 'episode'];
const annotated: Kinds = ['artist', 'album', 'song', 'video', 'folder', 'playlist', 'smartlist', 'podcast', 'episode', 'station'];
const stars: Readonly<Partial<Record<IdParameter, Kinds>>> = { id: annotated, albumId: ['album'], artistId: ['artist'] };

/** Kinds of things that each parameter names. One that is not in here is a song's. */
const named: Readonly<Partial<Record<OperationName, Readonly<Partial<Record<IdParameter, Kinds>>>>>> = {
  createBookmark: { id: media },
  deleteBookmark: { id: media },
  createPlaylist: { playlistId: lists },
  updatePlaylist: { playlistId: lists },
  deletePlaylist: { id: lists },
  getPlaylist: { id: lists },
  createShare: { id: ['artist', 'album', 'song', 'video', 'playlist', 'smartlist', 'podcast', 'episode'] },
  updateShare: { id: ['share'] },
  deleteShare: { id: ['share'] },
  updateInternetRadioStation: { id: ['station'] },
  deleteInternetRadioStation: { id: ['station'] },
  getPodcasts: { id: ['podcast'] },
  deletePodcastChannel: { id: ['podcast'] },
  getPodcastEpisode: { id: ['episode'] },
  deletePodcastEpisode: { id: ['episode'] },
  downloadPodcastEpisode: { id: ['episode'] },
  getArtist: { id: ['artist'] },
  getArtistInfo: { id: ['artist', 'album', 'song'] },
  getArtistInfo2: { id: ['artist', 'album', 'song'] },
  getSimilarSongs: { id: ['artist', 'album', 'song'] },
  getSimilarSongs2: { id: ['artist'] },
  getTopSongs: { id: ['artist'] },
  getAlbum: { id: ['album'] },
  getAlbumInfo: { id: ['album', 'song'] },
  getAlbumInfo2: { id: ['album'] },
  getMusicDirectory: { id: ['catalog', 'folder', 'artist', 'album'] },
  getCoverArt: { id: ['artist', 'album', 'song', 'folder', 'playlist', 'smartlist', 'podcast', 'episode'] },
  getVideoInfo: { id: ['video'] },
  getCaptions: { id: ['video'] },
  download: { id: [...media, 'artist', 'album'] },
  stream: { id: media },
  'hls.m3u8': { id: media },
  jukeboxControl: { id: [...media, 'station'] },
  reportPlayback: { mediaId: ['song', 'video'] },
  savePlayQueue: { id: media },
  savePlayQueueByIndex: { id: media },
  scrobble: { id: ['song', 'episode'] },
  setRating: { id: annotated },
  star: stars,
  unstar: stars,
};

/** Calls in which the parameter counts, where the first successful one of the fixture is not such. */
const calls: Readonly<Partial<Record<OperationName, Case['params']>>> = {
  getTranscodeStream: { mediaType: 'song', transcodeParams: 'x' },
  jukeboxControl: { action: 'add' },
  savePlayQueue: { current: 'so-1' },
  savePlayQueueByIndex: { currentIndex: 0 },
};

const asked = operationNames.flatMap((operation) =>
  ID_PARAMETERS.filter((parameter) => registry[operation].parameters.includes(parameter)).map((parameter) => ({ operation, parameter })),
);

const caseOf = (operation: OperationName): Case => {
  const { success } = endpointCases[operation];
  const first = typeof success === 'string' ? {} : success[0];
  return { ...first, params: calls[operation] ?? first.params ?? {} };
};

describe('an id of the wrong kind', () => {
  it.each(asked)('is 70 as $parameter of $operation', async ({ operation, parameter }) => {
    const one = caseOf(operation);
    const right = named[operation]?.[parameter] ?? ['song'];
    const codes: [string, unknown][] = [];
    for (const kind of (Object.keys(idPrefixes) as CompatKind[]).filter((known) => !right.includes(known))) {
      const params = { f: 'json', ...one.params, [parameter]: `${idPrefixes[kind]}-1` };
      const { body, type } = await world.full.call(operation, params, one.as, one.body);
      codes.push([kind, type.startsWith('application/json') ? JSON.parse(body)['subsonic-response'].error?.code : type]);
    }
    expect(codes).toEqual(codes.map(([kind]) => [kind, 70]));
  });

  it('is 70 among others of a play queue', async () => {
    const params = { f: 'json', id: ['so-4', 'al-1'], current: 'so-4' };
    expect((await world.full.call('savePlayQueue', params)).body).toContain('"code":70');
  });
});
