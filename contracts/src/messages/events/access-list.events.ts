import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { userId } from '../ids.js';
import { accessLevel } from './user.events.js';

/** One row of the access list: accounts up to `level` may come from start..end (inclusive, one family) for this kind of use. */
export const accessRule = z.object({
  ruleId: z.int().positive(),
  name: z.string(),
  level: accessLevel,
  /** null = everybody. */
  userId: userId.nullable(),
  type: z.enum(['rpc', 'stream', 'interface', 'network']),
  startAddress: z.string(),
  endAddress: z.string(),
  enabled: z.boolean(),
});
export type AccessRule = z.infer<typeof accessRule>;

export const accessRuleAdded = defineEvent('AccessRuleAdded', accessRule);
export const accessRuleRemoved = defineEvent('AccessRuleRemoved', z.object({ ruleId: z.int().positive() }));
/** The row counts, or it stays and counts no more. */
export const accessRuleSwitched = defineEvent('AccessRuleSwitched', z.object({ ruleId: z.int().positive(), enabled: z.boolean() }));

export type AccessListEvent = EventOf<typeof accessRuleAdded | typeof accessRuleRemoved | typeof accessRuleSwitched>;
