import { z } from 'zod';
import { isSongContainer, randomSong, randomSongIn, randomSongOfOpinion, type Opinion } from '../../../../reads/songs/random-song.reads.js';
import { randomEpisode } from '../../../../reads/podcasts/podcasts.reads.js';
import { songFile } from '../../../../reads/songs/songs.reads.js';
import { randomVideo, videoFile } from '../../../../reads/library/videos.reads.js';
import { badValue, missing } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { foundById, orNotFound } from '../../named-object.js';
import { idOf, optional } from '../../params.js';
import type { NativeResult } from '../../result.js';
import { episodeOf, randomMember, requireStreams, songBytes, streamed, videoBytes, type Services } from '../playing/media.methods.js';
import { requireKind } from '../../require-kind.js';

const { method } = methodsUsing<Services>();

const randomParams = z.object({ type: z.string().default('song'), filter: optional, ...streamed });
type RandomCall = CallerCall<z.output<typeof randomParams>, Services>;

/** 1 or empty: favourites, 0: others. */
const favourite = (text: string): Opinion => {
  if (text !== '' && text !== '0' && text !== '1') throw badValue('filter', text, 'must be 0 or 1');
  return { flagged: text !== '0' };
};

/** 1 to 5: at least this rating, 0: unrated, empty: any. */
const rated = (text: string): Opinion => {
  if (text !== '' && !/^[0-5]$/.test(text)) throw badValue('filter', text, 'must be 0 to 5');
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
  if (!isSongContainer(type)) throw badValue('type', type, 'must be a type that songs are picked from');
  if (filter === '') throw missing('filter');
  const id = idOf(filter);
  return id === undefined ? Promise.resolve(undefined) : randomSongIn(services.db, type, id, viewer);
};

const aVideo = async (call: RandomCall): Promise<NativeResult> => {
  requireKind(call, 'video');
  const { db } = call.services;
  const id = await randomVideo(db, call.viewer);
  const video = orNotFound(id === undefined ? undefined : await videoFile(db, id, call.viewer), '');
  return videoBytes(call, video, { attachment: false, counts: call.params.stats !== '0' });
};

/** A random episode of the podcast in `filter`. */
const streamRandomEpisode = async (call: RandomCall): Promise<NativeResult> => {
  requireKind(call, 'podcast');
  const { params, services, viewer } = call;
  const filter = params.filter?.trim() ?? '';
  if (filter === '') throw missing('filter');
  const id = await foundById(filter, (podcast) => randomEpisode(services.db, podcast, viewer));
  return episodeOf({ ...call, params: { filter: String(id) } }, { attachment: false, counts: params.stats !== '0' });
};

const random = async (call: RandomCall): Promise<NativeResult> => {
  await requireStreams(call);
  if (call.params.type === 'video') return aVideo(call);
  if (call.params.type === 'podcast_episode') return streamRandomEpisode(call);
  const id = await picked(call);
  const song = orNotFound(id === undefined ? undefined : await songFile(call.services.db, id, call.viewer), call.params.filter ?? '');
  return songBytes(call, song, { attachment: false, counts: call.params.stats !== '0', form: call.params });
};

/** Methods that answer with random media, without a redirect. */
export const randomMethods = {
  random: method({ versions: [8], access: 5, binary: true, params: randomParams, run: random }),
};
