import { z } from 'zod';
import { isSongContainer, randomSong, randomSongIn, randomSongOfOpinion, type Opinion } from '../../reads/random-song.reads.js';
import { randomEpisode } from '../../reads/podcasts.reads.js';
import { songFile } from '../../reads/songs.reads.js';
import { randomVideo, videoFile } from '../../reads/videos.reads.js';
import { badValue, missing, notFound } from '../errors/native-fault.js';
import { method, type CallerCall } from '../method.js';
import { idOf } from '../params.js';
import type { NativeResult } from '../result.js';
import { episodeOf, randomMember, requireStreams, songBytes, streamed, videoBytes } from './media.methods.js';
import { requirePodcasts } from './podcast.methods.js';
import { requireVideos } from './video.methods.js';

interface RandomParams {
  readonly type: string;
  readonly filter?: string | undefined;
  readonly stats: string;
  readonly format?: string | undefined;
  readonly bitrate?: string | undefined;
  readonly offset?: string | undefined;
}
type RandomCall = CallerCall<RandomParams>;

/** 1 or nothing: favourites, 0: the others. */
const favourite = (text: string): Opinion => {
  if (text !== '' && text !== '0' && text !== '1') throw badValue('filter', text);
  return { flagged: text !== '0' };
};

/** 1 to 5: at least so many stars, 0: none, nothing: any. */
const rated = (text: string): Opinion => {
  if (text !== '' && !/^[0-5]$/.test(text)) throw badValue('filter', text);
  return text === '0' ? 'unrated' : { atLeast: text === '' ? 1 : Number(text) };
};

const picked = (call: RandomCall): Promise<number | undefined> => {
  const { params, services, viewer } = call;
  const { type } = params;
  const filter = params.filter?.trim() ?? '';
  if (type === 'song') return randomSong(services.db, viewer);
  if (type === 'favorite') return randomSongOfOpinion(services.db, favourite(filter), viewer);
  if (type === 'rating') return randomSongOfOpinion(services.db, rated(filter), viewer);
  if (type === 'playlist' || type === 'search') {
    if (filter === '') throw missing('filter');
    return randomMember({ ...call, params: { filter } }, type);
  }
  if (!isSongContainer(type)) throw badValue('type', type);
  if (filter === '') throw missing('filter');
  const id = idOf(filter);
  return id === undefined ? Promise.resolve(undefined) : randomSongIn(services.db, type, id, viewer);
};

const aVideo = async (call: RandomCall): Promise<NativeResult> => {
  requireVideos(call);
  const { db } = call.services;
  const id = await randomVideo(db, call.viewer);
  const video = id === undefined ? undefined : await videoFile(db, id, call.viewer);
  if (!video) throw notFound('filter', '');
  return videoBytes(call, video, { attachment: false, counts: call.params.stats !== '0' });
};

/** An episode of the podcast that `filter` names. */
const anEpisode = async (call: RandomCall): Promise<NativeResult> => {
  requirePodcasts(call);
  const { params, services, viewer } = call;
  const filter = params.filter?.trim() ?? '';
  if (filter === '') throw missing('filter');
  const podcast = idOf(filter);
  const id = podcast === undefined ? undefined : await randomEpisode(services.db, podcast, viewer);
  if (id === undefined) throw notFound('filter', filter);
  return episodeOf({ ...call, params: { filter: String(id) } }, { attachment: false, counts: params.stats !== '0' });
};

const random = async (call: RandomCall): Promise<NativeResult> => {
  await requireStreams(call);
  if (call.params.type === 'video') return aVideo(call);
  if (call.params.type === 'podcast_episode') return anEpisode(call);
  const id = await picked(call);
  const song = id === undefined ? undefined : await songFile(call.services.db, id, call.viewer);
  if (!song) throw notFound('filter', call.params.filter ?? '');
  return songBytes(call, song, { attachment: false, counts: call.params.stats !== '0', form: call.params });
};

/** The bytes of something that chance picks (choices.md row 4: no redirect). */
export const randomMethods = {
  random: method({
    versions: [8],
    access: 5,
    binary: true,
    params: z.object({ type: z.string().default('song'), filter: z.string().optional(), ...streamed }),
    run: random,
  }),
};
