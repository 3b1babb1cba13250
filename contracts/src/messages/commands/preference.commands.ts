import { z } from 'zod';
import { defineCommand } from '../define.js';
import { userId } from '../ids.js';
import { customPreferenceCategories, preferenceName, preferenceText, preferenceTypes } from '../preferences.js';

const ADMINISTRATOR = 100;

/** Values are looked at where the preference is known, so that the refusal says what is wrong; this only keeps the message small. */
const value = z.string().max(200_000);

/** Gives a preference a value. The sender has checked the level of who asks. Preferences of the category `system` have the server's value only. */
export const setPreference = defineCommand(
  'social',
  'set-preference',
  z.object({
    name: z.string(),
    value,
    /** Whose value: one account's, that of accounts without an own one, or everybody's, which takes own values away. */
    holder: z.union([z.object({ userId }), z.enum(['default', 'everybody'])]),
  }),
  z.object({}),
);

/** Makes a preference of the operator's own. */
export const definePreference = defineCommand(
  'social',
  'define-preference',
  z.object({
    name: preferenceName,
    description: preferenceText.default(''),
    level: z.int().min(0).max(ADMINISTRATOR).default(ADMINISTRATOR),
    type: z.enum(preferenceTypes),
    category: z.enum(customPreferenceCategories),
    subcategory: preferenceText.nullable().default(null),
    default: value,
  }),
  z.object({ preferenceId: z.int().positive() }),
);

/** Removes a preference of the operator's own, with every value; those of the server stay. */
export const removePreference = defineCommand('social', 'remove-preference', z.object({ name: z.string() }), z.object({}));
