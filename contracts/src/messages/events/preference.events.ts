import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { userId } from '../ids.js';
import { preferenceCategories, preferenceTypes } from '../preference-definition.js';

const preferenceId = z.int().positive();

/** Operators may have preferences of their own; their numbers are never given again. */
export const preferenceDefined = defineEvent(
  'PreferenceDefined',
  z.object({
    preferenceId,
    name: z.string(),
    description: z.string(),
    level: z.int(),
    type: z.enum(preferenceTypes),
    category: z.enum(preferenceCategories),
    subcategory: z.string().nullable(),
    default: z.string(),
  }),
);
/** The preference is gone, with every value. */
export const preferenceRemoved = defineEvent('PreferenceRemoved', z.object({ preferenceId }));
/** From now on this is the account's value; `userId` null: the server's, which holds for accounts without a value of their own. */
export const preferenceSet = defineEvent('PreferenceSet', z.object({ userId: userId.nullable(), preferenceId, value: z.string() }));
/** From now on this is everybody's value: the server's, and no account has one of its own until it sets one again. */
export const preferenceSetForAll = defineEvent('PreferenceSetForAll', z.object({ preferenceId, value: z.string() }));

/** The account is gone, and with it its own values. */
export const preferencesForgotten = defineEvent('PreferencesForgotten', z.object({ userId }));

export type PreferenceEvent = EventOf<
  typeof preferenceDefined | typeof preferenceRemoved | typeof preferenceSet | typeof preferenceSetForAll | typeof preferencesForgotten
>;
