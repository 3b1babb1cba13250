import { MAX_PLAY_QUEUE, MAX_PLAY_QUEUE_CONTEXT } from '@continuo/contracts';
import { z } from 'zod';
import { findVisible, readQueue, saveQueue, type QueuedObject } from '../../../../features/playback/play-queues.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasCommands, HasConfig } from '../../../../server/needs.js';
import { badValue, notFound } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { playQueueObject } from '../../objects/play-queue.object.js';
import type { NativeSong } from '../../objects/song.object.js';
import { idOf, limit } from '../../params.js';
import { fieldsResult, success, type NativeResult } from '../../result.js';
import type { ApiVersion } from '../../versions/policy.js';
import { readSongs } from '../lists/reading.js';

type Services = HasCommands & HasConfig & HasReadModel & HasPreferences;
const { method } = methodsUsing<Services>();

/** Additions of this server. */
const versions: readonly ApiVersion[] = [8];
/** Songs that are answered at most. */
const MOST_SONGS = 500;
const NEVER_SAVED = {
  currentIndex: undefined,
  positionMs: 0,
  changedAtMs: 0,
  changedBy: '',
  context: undefined,
  total: 0,
  songs: [],
} as const;

const songsFrom = async (call: CallerCall<unknown, Services>, ids: readonly number[]): Promise<NativeSong[]> => {
  const byId = new Map([...(await readSongs(call, [...new Set(ids)]))].map((song) => [song.view.doc.id, song]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};

const show = async (call: CallerCall<{ limit: number | undefined }, Services>): Promise<NativeResult> => {
  const queue = await readQueue(call);
  if (!queue) return fieldsResult(playQueueObject, NEVER_SAVED);
  const ids = queue.songIds.slice(0, Math.min(call.params.limit ?? MOST_SONGS, MOST_SONGS));
  return fieldsResult(playQueueObject, { ...queue, total: queue.entries.length, songs: await songsFrom(call, ids) });
};

const wholeNumber = z
  .string()
  .regex(/^\s*\d{1,9}\s*$/, 'must be a whole number')
  .transform(Number)
  .optional();

const saved = z.object({
  songs: z.string().default(''),
  index: wholeNumber,
  position_ms: wholeNumber,
  context: z.string().max(MAX_PLAY_QUEUE_CONTEXT).optional(),
});

/** Ids of a parameter. @throws NativeRefusal 4710 for texts that are none, and too many */
const songsOf = (text: string): QueuedObject[] => {
  const texts = text.split(',').filter((one) => one.trim() !== '');
  if (texts.length > MAX_PLAY_QUEUE) throw badValue('songs', `${texts.length}`, `must be at most ${MAX_PLAY_QUEUE} songs`);
  return texts.map((one) => {
    const objectId = idOf(one);
    if (objectId === undefined) throw badValue('songs', one, 'must be ids of songs');
    return { objectType: 'song', objectId };
  });
};

const save = async (call: CallerCall<z.output<typeof saved>, Services>): Promise<NativeResult> => {
  const { songs, index = 0, position_ms: positionMs = 0, context } = call.params;
  const objects = songsOf(songs);
  const isVisible = await findVisible(call, objects);
  const current = objects[index];
  if (objects.length > 0 && (!current || !isVisible(current))) throw notFound('index', String(index));
  await saveQueue(call, {
    objects: objects.filter(isVisible),
    currentIndex: objects.slice(0, index).filter(isVisible).length,
    positionMs,
    ...(context === undefined ? {} : { context }),
  });
  return success('play queue saved');
};

/** Methods about the queue that an account's devices share. */
export const playQueueMethods = {
  play_queue: method({ versions, access: 5, params: z.object({ limit }), run: show }),
  play_queue_edit: method({ versions, access: 5, params: saved, run: save }),
};
