import type { SonicRunTable } from '@continuo/contracts';
import { counted, formatCount, formatDuration } from '../output/table.js';

/** How far a run is, in one line. */
export const describeRun = ({ parts, parts_ended: ended, analysed, reused, known, failed }: SonicRunTable): string =>
  [
    `${formatCount(ended)} of ${counted(parts, 'part')}`,
    `${formatCount(analysed)} analysed`,
    ...(reused > 0 ? [`${formatCount(reused)} of a sound that was known`] : []),
    ...(known > 0 ? [`${formatCount(known)} known already`] : []),
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
  ].join(', ');

/** How long a run took, or has taken at `nowMs`. */
export const runDuration = ({ requested_at_ms: from, ended_at_ms: to }: SonicRunTable, nowMs: number): string =>
  formatDuration(Math.max(0, (to ?? nowMs) - from));
