import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { userId } from '../ids.js';
import { annotatedKind } from './annotation.events.js';

// What people write is personal data: these events stand in the identity log, and the texts are sealed under their author's own key, which goes with the account.
const sealedText = z.string();

/** Shouts are numbered by author, from 1. The public id of a shout is its event's position in the log. */
const shoutNumber = { userId, number: z.int().positive() };

/** A comment on a thing was made, for everybody to read. */
export const shoutMade = defineEvent(
  'ShoutMade',
  z.object({ ...shoutNumber, kind: annotatedKind, objectId: z.int().positive(), sealedText }),
);
/** The shout is gone. */
export const shoutRemoved = defineEvent('ShoutRemoved', z.object(shoutNumber));

export type ShoutEvent = EventOf<typeof shoutMade | typeof shoutRemoved>;

/** A chat message of the compatibility API was sent. */
export const chatMessageSent = defineEvent('ChatMessageSent', z.object({ userId, sealedText }));

export type ChatEvent = EventOf<typeof chatMessageSent>;
