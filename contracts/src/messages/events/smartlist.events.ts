import { z } from 'zod';
import type { SmartlistLogic } from '../../read-model/smartlist.js';
import { defineEvent, type EventOf } from '../define.js';
import { userId } from '../ids.js';
import { epochMs } from '../track.js';

/** As many rules as one smartlist has. */
export const MAX_SMARTLIST_RULES = 100;
/** As many collaborators as one smartlist has. */
export const MAX_SMARTLIST_COLLABORATORS = 100;
/** Longest name of a smartlist, in characters. */
export const MAX_SMARTLIST_NAME = 255;
/** Highest limit of a smartlist. */
export const MAX_SMARTLIST_LIMIT = 1_000_000;
const MAX_OPERAND = 1000;
const MAX_WORD = 64;

/** Public id of a smartlist. Clients see it as `smart_<n>` among playlists. */
export const smartlistId = z.int().positive().brand<'SmartlistId'>();
export type SmartlistId = z.infer<typeof smartlistId>;

/** One rule: its name, the operator's code, the operand, and the field of a metadata rule. The search defines which names and codes exist. */
export const smartlistRule = z.tuple([
  z.string().min(1).max(MAX_WORD),
  z.string().min(1).max(MAX_WORD),
  z.string().max(MAX_OPERAND),
  z.string().max(MAX_OPERAND).nullable(),
]);
export type SmartlistRule = z.infer<typeof smartlistRule>;

/** Terms of a smartlist that its owner may change. `ownerId` null: the system's own list. `limit` 0: all matches. */
const terms = {
  name: z.string().max(MAX_SMARTLIST_NAME),
  ownerId: userId.nullable(),
  isPublic: z.boolean(),
  collaboratorIds: z.array(userId).max(MAX_SMARTLIST_COLLABORATORS),
  rules: z.array(smartlistRule).min(1).max(MAX_SMARTLIST_RULES),
  logic: z.enum(['and', 'or']) satisfies z.ZodType<SmartlistLogic>,
  isRandom: z.boolean(),
  limit: z.int().min(0).max(MAX_SMARTLIST_LIMIT),
};

/** A smartlist was created. */
export const smartlistCreated = defineEvent('SmartlistCreated', z.object({ smartlistId, ...terms }));
/** Terms of a smartlist changed; absent ones stay. */
export const smartlistChanged = defineEvent(
  'SmartlistChanged',
  z
    .object({ smartlistId, ...terms })
    .partial()
    .required({ smartlistId: true }),
);
/** So much was in the list when it was last looked at by somebody who sees all that its owner sees. Told only when it differs from the last time. */
export const smartlistCounted = defineEvent(
  'SmartlistCounted',
  z.object({ smartlistId, songCount: z.int().min(0), durationMs: z.int().min(0), countedAtMs: epochMs }),
);
/** The list is gone for good; its number is never given again. */
export const smartlistDeleted = defineEvent('SmartlistDeleted', z.object({ smartlistId }));

export type SmartlistEvent = EventOf<typeof smartlistCreated | typeof smartlistChanged | typeof smartlistCounted | typeof smartlistDeleted>;
/** The terms of a smartlist. */
export type SmartlistTerms = z.infer<z.ZodObject<typeof terms>>;
/** The schemas of {@link SmartlistTerms}, for the commands that set them. */
export const smartlistTerms = z.object(terms);
