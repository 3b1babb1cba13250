import { z } from 'zod';

const MAX_ID = 2_147_483_647;

/** A number of something, in the path or in a body. */
export const id = z.int().min(1).max(MAX_ID);

/** A name that the server gives, in a path: letters, digits, dots, dashes and underscores. */
export const word = z.string().regex(/^[\w.-]{1,100}$/);

/** Parameters of a path that ends in a name. */
export const namePath = z.strictObject({ name: word });

/** Parameters of a path that ends in the id of some work. */
export const workPath = z.strictObject({ id: word });

/** Parameters of a path that ends in a number. */
export const idPath = z.strictObject({ id });
