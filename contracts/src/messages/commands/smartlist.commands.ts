/** Commands about smartlists. The sender has checked that the caller may, and that the rules can be run. */
import { z } from 'zod';
import { defineCommand } from '../define.js';
import { smartlistId, smartlistTerms } from '../events/smartlist.events.js';

const none = z.object({});
const terms = smartlistTerms.extend({ name: z.string().trim().min(1).max(255) });

/** Keeps a search and answers its number. An owner's lists of one type have different names: a name that is taken gets a number behind it. */
export const createSmartlist = defineCommand(
  'library',
  'create-smartlist',
  terms.extend({
    collaboratorIds: terms.shape.collaboratorIds.default([]),
    logic: terms.shape.logic.default('and'),
    isRandom: z.boolean().default(false),
    limit: terms.shape.limit.default(0),
  }),
  z.object({ smartlistId, name: z.string() }),
);

/** Changes what is named; `isChanged` is false when everything was so already. */
export const changeSmartlist = defineCommand(
  'library',
  'change-smartlist',
  terms.partial().extend({ smartlistId }),
  z.object({ isChanged: z.boolean() }),
);

/** Notes how much is in a list at the moment. */
export const countSmartlist = defineCommand(
  'library',
  'count-smartlist',
  z.object({ smartlistId, songCount: z.int().min(0), durationMs: z.int().min(0) }),
  none,
);

/** Ends a list for good; ending it again changes nothing. */
export const deleteSmartlist = defineCommand('library', 'delete-smartlist', z.object({ smartlistId }), none);
