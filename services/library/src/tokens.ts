/** Injection tokens of the ports that controllers need. */
export const AGGREGATES = Symbol('aggregates');
export const DATABASE = Symbol('database');
