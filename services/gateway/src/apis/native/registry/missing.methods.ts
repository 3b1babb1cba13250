import type { MissingRow } from '../method.js';

/**
 * Actions of the specification that are not served, each as `name: notServedYet(feature, versions)`: it answers 4703 with the feature, so
 * that clients hide it. None at present.
 */
export const missingMethods = {} satisfies Readonly<Record<string, MissingRow>>;
