/** Injection tokens of the ports that controllers need. */
export const AGGREGATES = Symbol('aggregates');
export const EVENT_STORE = Symbol('event-store');
export const DATABASE = Symbol('database');
export const SEALER = Symbol('sealer');
