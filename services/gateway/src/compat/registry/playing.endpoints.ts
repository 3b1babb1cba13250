import { Rejection } from '@continuo/contracts';
import { allowedTo } from '../../preferences/index.js';
import { albumsByIds } from '../../reads/albums.reads.js';
import { nowPlaying } from '../../reads/now-playing.reads.js';
import { similarSongIds, songIdsLikeArtist } from '../../reads/similar.reads.js';
import { songsByIds, type SongView } from '../../reads/songs.reads.js';
import { containerBody } from '../documents.js';
import type { CompatId } from '../ids.js';
import { songChild } from '../objects/child.object.js';
import { nowPlayingEntry, type NowPlayingEntry } from '../objects/now-playing.object.js';
import { anyId, count, idOf } from '../parameters.js';
import { anybody, document, type UserCallBase } from './endpoint.js';

const entries = async ({ services, viewer, preferences }: UserCallBase): Promise<NowPlayingEntry[]> => {
  const nowMs = services.now();
  const playing = allowedTo(preferences, viewer, 'allow_personal_info_now', await nowPlaying(services.db, viewer, { nowMs }));
  const songs = await songsByIds(services.db, [...new Set(playing.map(({ objectId }) => objectId))], viewer);
  const byId = new Map(songs.map((song) => [song.doc.id, song]));
  return playing.flatMap((one) => {
    const song = byId.get(one.objectId);
    return song ? [{ song, playing: one, nowMs }] : [];
  });
};

/** Songs like a song, an album (like its first artist) or an artist. */
const idsLike = async ({ services: { db }, viewer }: UserCallBase, { kind, id }: CompatId, limit: number): Promise<number[]> => {
  if (kind === 'song') return known(await similarSongIds(db, id, viewer, limit), 'song.not-found');
  if (kind === 'artist') return known(await songIdsLikeArtist(db, id, viewer, limit), 'artist.not-found');
  const [album] = kind === 'album' ? await albumsByIds(db, [id], viewer) : [];
  if (!album) throw new Rejection('album.not-found');
  const [artist] = album.doc.artists;
  return (artist && (await songIdsLikeArtist(db, artist.id, viewer, limit))) ?? [];
};

const known = (ids: number[] | undefined, code: 'song.not-found' | 'artist.not-found'): number[] => {
  if (!ids) throw new Rejection(code);
  return ids;
};

const songsLike = async (call: UserCallBase, id: CompatId, limit: number): Promise<SongView[]> =>
  songsByIds(call.services.db, await idsLike(call, id, limit), call.viewer);

const MOST = 500;
const USUAL = 50;

/** Who plays what, and what is like it. */
export const playingEndpoints = {
  getNowPlaying: document({ access: anybody, params: {}, body: containerBody('nowPlaying', 'entry', nowPlayingEntry), answer: entries }),
  getSimilarSongs: document({
    access: anybody,
    params: { id: anyId('song'), count: count(USUAL, MOST) },
    body: containerBody('similarSongs', 'song', songChild),
    answer: (call) => songsLike(call, call.params.id, call.params.count),
  }),
  getSimilarSongs2: document({
    access: anybody,
    params: { id: idOf('artist'), count: count(USUAL, MOST) },
    body: containerBody('similarSongs2', 'song', songChild),
    answer: (call) => songsLike(call, { kind: 'artist', id: call.params.id }, call.params.count),
  }),
} as const;
