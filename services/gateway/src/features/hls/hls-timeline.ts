/**
 * Length of a segment: 375 frames of AAC at 48 kHz, and a whole number of pictures at 24, 25, 30, 50 and 60 a second, so that segments which are made one by
 * one meet without a gap.
 */
export const SEGMENT_MS = 8000;

/** A remainder shorter than this is not worth a segment of its own: the last one becomes longer. */
const SHORTEST_LAST_MS = 500;
/** Containers round their length; the last segment extends by this much to reach the real end. */
const OVERHANG_MS = 2000;

/** A part of a medium, milliseconds. */
export interface Segment {
  readonly offsetMs: number;
  /** As the list says it. */
  readonly lengthMs: number;
  /** As it is made: the last one takes in what the container's length leaves out. */
  readonly takenMs: number;
}

/** Number of segments of a medium. */
export const segmentCount = (durationMs: number): number => Math.max(1, Math.ceil((durationMs - SHORTEST_LAST_MS) / SEGMENT_MS));

/** A segment by its number, counted from 0; undefined for one that there is not. */
export const segmentAt = (durationMs: number, index: number): Segment | undefined => {
  const count = segmentCount(durationMs);
  if (!Number.isInteger(index) || index < 0 || index >= count) return undefined;
  const offsetMs = index * SEGMENT_MS;
  if (index < count - 1) return { offsetMs, lengthMs: SEGMENT_MS, takenMs: SEGMENT_MS };
  const lengthMs = Math.max(1, durationMs - offsetMs);
  return { offsetMs, lengthMs, takenMs: lengthMs + OVERHANG_MS };
};

/** All segments of a medium in order. */
export const segmentsOf = (durationMs: number): Segment[] =>
  Array.from({ length: segmentCount(durationMs) }, (_, index) => segmentAt(durationMs, index)).flatMap((segment) => segment ?? []);
