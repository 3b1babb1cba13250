import { z } from 'zod';
import { defineCommand } from '../define.js';
import { accessRule } from '../events/access-list.events.js';
import { annotatedKind } from '../events/annotation.events.js';
import { userId } from '../ids.js';
import { epochMs } from '../track.js';

/** Adds a row to the access list and answers its number. Both addresses must be of one family and in order. */
export const addAccessRule = defineCommand(
  'social',
  'add-access-rule',
  accessRule.omit({ ruleId: true }).extend({
    name: z.string().trim().min(1).max(255),
    startAddress: z.string().min(2).max(64),
    endAddress: z.string().min(2).max(64),
    enabled: z.boolean().default(true),
  }),
  z.object({ ruleId: z.int().positive() }),
);

/** Removes a row from the access list; removing it again changes nothing. */
export const removeAccessRule = defineCommand('social', 'remove-access-rule', z.object({ ruleId: z.int().positive() }), z.object({}));

/** Lets a row of the access list count, or keeps it without counting. */
export const switchAccessRule = defineCommand(
  'social',
  'switch-access-rule',
  z.object({ ruleId: z.int().positive(), enabled: z.boolean() }),
  z.object({}),
);

const annotatedObject = z.object({ kind: annotatedKind, objectId: z.int().positive() });

/** Sets a user's rating of one thing; 0 takes it back. What is so already changes nothing. The sender has checked that the thing exists. */
export const rateObject = defineCommand(
  'social',
  'rate-object',
  annotatedObject.extend({ userId, rating: z.int().min(0).max(5) }),
  z.object({}),
);

/** As many things as one {@link flagObjects} takes. */
export const MAX_FLAGGED_AT_ONCE = 1000;

/**
 * Makes things favourites of a user, or takes them off, all of them or none. What is so already stays as it is, unless `flaggedAtMs` gives a favourite
 * another time; without it, it is the time of the command. The sender has checked that the things exist.
 */
export const flagObjects = defineCommand(
  'social',
  'flag-objects',
  z.object({
    userId,
    flagged: z.boolean(),
    flaggedAtMs: epochMs.optional(),
    objects: z.array(annotatedObject).min(1).max(MAX_FLAGGED_AT_ONCE),
  }),
  z.object({}),
);
