/**
 * Containers without an index: ffmpeg finds a time in them, but not the key picture before it, and what lies between is lost. They are read from further ahead,
 * as far as key pictures usually lie apart.
 */
const UNINDEXED = /\.(?:ts|m2ts|mts|mpg|mpeg|mpe|m2v|vob)$/i;
const RUN_UP_MS = 12_000;

/** Run-up before a time, so that every picture from that time on can be decoded; milliseconds. */
export const runUpMs = (path: string, offsetMs: number): number => (UNINDEXED.test(path) ? Math.min(RUN_UP_MS, offsetMs) : 0);
