import { z } from 'zod';

/**
 * Everything that the server tells others of, by webhook and by event stream, and what each means. The names and the shape of what is told are a published
 * contract of their own, apart from the events of the log: they stay as they are when those change.
 */
export const publicEventTypes = {
  'play.recorded': 'a song was played, as it counts for statistics',
  'play.skipped': 'a play turned out to be a skip',
  'playback.started': 'a client began to play something',
  'playback.stopped': 'a client plays nothing any more',
  'bookmark.set': 'somebody put a bookmark into something, or moved it',
  'bookmark.removed': 'a bookmark is gone',
  'queue.changed': 'somebody saved a play queue, or where they are in it',
  'rating.set': 'somebody rated something',
  'rating.removed': 'somebody took a rating back',
  'favourite.added': 'something became a favourite of somebody',
  'favourite.removed': 'something is no favourite any more',
  'follow.added': 'somebody follows somebody',
  'follow.removed': 'somebody follows somebody no more',
  'shout.made': 'somebody said something about something',
  'share.made': 'something was shared under a public address',
  'share.changed': 'the terms of a share changed',
  'share.visited': 'somebody came with the address of a share',
  'share.deleted': 'a share ended',
  'playlist.made': 'there is another playlist',
  'playlist.changed': 'name, owner or visibility of a playlist changed',
  'playlist.members_changed': 'something was added to a playlist, removed, replaced or moved',
  'playlist.deleted': 'a playlist is gone',
  'smartlist.made': 'there is another smartlist',
  'smartlist.changed': 'name, owner, visibility or rules of a smartlist changed',
  'smartlist.deleted': 'a smartlist is gone',
  'collection.made': 'there is another collection',
  'collection.changed': 'name, owner or visibility of a collection changed',
  'collection.members_changed': 'something was added to a collection, removed, replaced or moved',
  'collection.deleted': 'a collection is gone',
  'live_stream.made': 'there is another radio station',
  'live_stream.changed': 'name, address, codec or catalog of a radio station changed',
  'live_stream.deleted': 'a radio station is gone',
  'user.made': 'there is another account',
  'user.enabled': 'an account may log in',
  'user.disabled': 'an account may not log in any more',
  'user.level_changed': 'an account has another access level',
  'user.deleted': 'an account is gone',
  'catalog.added': 'there is another catalog',
  'catalog.removed': 'a catalog is gone with everything in it',
  'scan.requested': 'somebody asked for a scan',
  'scan.started': 'a scan began',
  'scan.progressed': 'how far a scan is',
  'scan.finished': 'a scan ended well',
  'scan.failed': 'a scan ended with a fault',
  'scan.cancelled': 'a scan was cancelled',
  'library.songs_added': 'songs appeared in a folder',
  'library.songs_changed': 'songs of a folder have other tags or content',
  'library.songs_moved': 'songs went from folder to folder',
  'library.songs_removed': 'songs of a folder are gone',
  'library.videos_added': 'videos appeared in a folder',
  'library.videos_changed': 'videos of a folder have other tags or content',
  'library.videos_moved': 'videos went from folder to folder',
  'library.videos_removed': 'videos of a folder are gone',
  'work.started': 'an operator started long work, such as a backup',
  'work.progressed': 'how far long work is',
  'work.finished': 'long work ended well',
  'work.failed': 'long work ended with a fault',
  'work.cancelled': 'long work was cancelled',
  'webhook.tested': 'an operator asked for a test of a webhook',
} as const;

/** One of {@link publicEventTypes}. */
export type PublicEventType = keyof typeof publicEventTypes;

/** All of {@link publicEventTypes}. */
export const allPublicEventTypes = Object.keys(publicEventTypes) as readonly PublicEventType[];

/** Version of the shape of {@link PublicEvent}; another one stands beside it, never in its place. */
export const PUBLIC_EVENT_VERSION = 1;

/** Subject of an event: its kind and its public id, spelt as in the native API. */
const reference = z.object({ type: z.string(), id: z.string() });

/** An event as others are notified of it. */
export const publicEvent = z.object({
  /** The same at all times and for all recipients. */
  id: z.string(),
  type: z.enum(allPublicEventTypes as [PublicEventType, ...PublicEventType[]]),
  version: z.literal(PUBLIC_EVENT_VERSION),
  /** ISO 8601, UTC. */
  time: z.iso.datetime(),
  /** The account that did it; the server itself; or somebody who is not logged in. */
  actor: z.union([z.object({ type: z.literal('user'), id: z.string() }), z.object({ type: z.enum(['system', 'visitor']) })]),
  object: reference,
  /** Further data, by type. Never a secret, never a text that somebody wrote for a few. */
  data: z.record(z.string(), z.unknown()),
});
export type PublicEvent = z.infer<typeof publicEvent>;

/** Pattern of event types: a type, all of a family (`play.*`), or everything (`*`). */
export const publicEventPattern = z
  .string()
  .refine((text) => text === '*' || allPublicEventTypes.some((type) => type === text || text === `${type.split('.')[0] ?? ''}.*`), {
    error: 'names no event',
  });

/** True for a type that one of the patterns names. */
export const matchesPattern = (patterns: readonly string[], type: PublicEventType): boolean =>
  patterns.some((pattern) => pattern === '*' || pattern === type || pattern === `${type.split('.')[0] ?? ''}.*`);
