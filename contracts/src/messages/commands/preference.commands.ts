import { z } from 'zod';
import { defineCommand } from '../define.js';
import { userId } from '../ids.js';
import { customPreferenceCategories, preferenceTypes } from '../preference-definition.js';
import { preferenceName, preferenceText } from '../preferences.js';

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
    /** Holder of the value: one account, accounts without an own value, or everybody, which removes own values. */
    holder: z.union([z.object({ userId }), z.enum(['default', 'everybody'])]),
  }),
  z.object({}),
);

/** Gives several preferences of one account their values, all of them or none. The sender has checked the level of who asks. */
export const setUserPreferences = defineCommand(
  'social',
  'set-user-preferences',
  z.object({
    userId,
    values: z
      .array(z.object({ name: z.string(), value }))
      .min(1)
      .max(100),
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
