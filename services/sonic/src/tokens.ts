/** Injection tokens of the sonic service. */
export const SONIC_PARTS = Symbol('SonicParts');
export const SONIC_JOBS = Symbol('JobQueue');
