import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { catalogId, songId } from '../ids.js';
import { sonicCounts, sonicModel, sonicRunId, soundFile, soundVector } from '../sonic.js';

/** It is known what a song sounds like, in the space of a model. `fingerprint` is a SHA-256 (hex) of its sound as the file holds it, whatever its tags. */
export const sonicSongHeard = defineEvent(
  'SonicSongHeard',
  z.object({
    songId,
    model: sonicModel,
    fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
    file: soundFile,
    vector: soundVector,
    /** Absent: no run asked for it. */
    runId: sonicRunId.optional(),
  }),
);

/** Analysis of a song failed: this file has no sound vector with this model. */
export const sonicSongFailed = defineEvent(
  'SonicSongFailed',
  z.object({ songId, model: sonicModel, file: soundFile, reason: z.string().max(300), runId: sonicRunId.optional() }),
);

export type SonicSongEvent = EventOf<typeof sonicSongHeard | typeof sonicSongFailed>;

/** The songs of the library shall be analysed, in parts of so many neighbouring ids; part 0 begins with id 0. */
export const sonicRunRequested = defineEvent(
  'SonicRunRequested',
  z.object({
    runId: sonicRunId,
    model: sonicModel,
    /** Only this catalog. */
    catalogId: catalogId.optional(),
    /** Also what is known already, and what failed. */
    again: z.boolean(),
    parts: z.int().positive(),
    idsPerPart: z.int().positive(),
  }),
);

/** A part of a run is done with. */
export const sonicPartEnded = defineEvent(
  'SonicPartEnded',
  z.object({ runId: sonicRunId, part: z.int().nonnegative(), counts: sonicCounts }),
);

/** Every part of a run is done with. */
export const sonicRunFinished = defineEvent('SonicRunFinished', z.object({ runId: sonicRunId }));

/** Nothing more is analysed for a run. */
export const sonicRunCancelled = defineEvent('SonicRunCancelled', z.object({ runId: sonicRunId }));

export type SonicRunEvent = EventOf<typeof sonicRunRequested | typeof sonicPartEnded | typeof sonicRunFinished | typeof sonicRunCancelled>;
