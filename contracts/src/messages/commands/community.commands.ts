import { z } from 'zod';
import { defineCommand } from '../define.js';
import { annotatedKind } from '../events/annotation.events.js';
import { userId } from '../ids.js';

/** Longest shout, in UTF-16 code units. */
export const MAX_SHOUT_CHARS = 2000;
/** Kinds of things that an administrator can shout about in the name of an account. */
export const shoutKinds = ['song', 'album', 'album_disk', 'artist', 'genre', 'label', 'video'] as const;
/** Longest message of the chat, in UTF-16 code units. */
export const MAX_CHAT_CHARS = 2000;

// Control characters that no document can hold; line feeds and tabs are text.
const UNPRINTABLE = /(?![\t\n])\p{Cc}/gu;

/** Cleans a written text: well-formed, without control characters and blanks around it. */
export const cleanText = (text: string): string => text.toWellFormed().replace(UNPRINTABLE, '').trim();

const written = (most: number) => z.string().transform(cleanText).pipe(z.string().min(1).max(most));

/**
 * Makes a user follow an account, or stop when it already does. Nobody follows themself. The sender has checked that the account exists.
 */
export const toggleFollow = defineCommand(
  'social',
  'toggle-follow',
  z.object({ userId, followedId: userId }),
  z.object({ following: z.boolean() }),
);

/** Says something about a thing, which the sender has looked up. Answers the shout's public id. */
export const makeShout = defineCommand(
  'social',
  'make-shout',
  z.object({ userId, kind: annotatedKind, objectId: z.int().positive(), text: written(MAX_SHOUT_CHARS) }),
  z.object({ shoutId: z.int().positive() }),
);

/** Removes a comment, by its author and its number among theirs; removing it again changes nothing. */
export const removeShout = defineCommand('social', 'remove-shout', z.object({ userId, number: z.int().positive() }), z.object({}));

/** Writes a message into the chat. */
export const sendChatMessage = defineCommand(
  'social',
  'send-chat-message',
  z.object({ userId, text: written(MAX_CHAT_CHARS) }),
  z.object({}),
);
