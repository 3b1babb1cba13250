import { z } from 'zod';
import { defineCommand } from '../define.js';
import { accessRule } from '../events/access-list.events.js';

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
