import { absent } from './endpoint.js';

const noSonicAnalysis = absent(30, 'There is no sonic analysis on this server', { open: true });

/** Operations that are not served, each with who might call it and the reason that its callers are told. */
export const absentEndpoints = {
  findSonicPath: noSonicAnalysis,
  getSonicSimilarTracks: noSonicAnalysis,
} as const;
