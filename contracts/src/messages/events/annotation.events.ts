import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { userId } from '../ids.js';
import { epochMs } from '../track.js';

/** Kinds of things that carry ratings and favourites; the type of the published tables has the same words. */
export const annotatedKinds = [
  'song',
  'album',
  'album_disk',
  'artist',
  'genre',
  'label',
  'playlist',
  'search',
  'podcast',
  'podcast_episode',
  'video',
  'live_stream',
  'catalog',
  'collection',
  'folder',
] as const;

/** One of {@link annotatedKinds}. */
export const annotatedKind = z.enum(annotatedKinds);

/** A thing that somebody has an opinion of: its kind and public id. */
const annotatedObject = { kind: annotatedKind, objectId: z.int().positive() };
const ofUser = { userId, ...annotatedObject };

/** From now on the user's rating of the thing is this one; 0 takes it back. */
export const objectRated = defineEvent('ObjectRated', z.object({ ...ofUser, rating: z.int().min(0).max(5) }));
/** The thing is a favourite of the user, since `flaggedAtMs`, which a client may have put back. Said again, it replaces that time. */
export const objectFlagged = defineEvent('ObjectFlagged', z.object({ ...ofUser, flaggedAtMs: epochMs }));
/** The thing is no favourite of the user any more. */
export const objectUnflagged = defineEvent('ObjectUnflagged', z.object(ofUser));

export const annotationEvents = [objectRated, objectFlagged, objectUnflagged] as const;
export type AnnotationEvent = EventOf<(typeof annotationEvents)[number]>;
