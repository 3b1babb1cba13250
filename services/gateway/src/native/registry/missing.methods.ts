import type { MissingRow } from '../method.js';

/**
 * Actions of the specification that this server does not serve, each as `name: notServedYet(feature, versions)`: it answers 4703 and names its feature, so that clients
 * show what is off instead of failing. There are none at present; an action that a later specification adds stands here until its method arrives.
 */
export const missingMethods = {} satisfies Readonly<Record<string, MissingRow>>;
