import type { ManageTypes } from '@continuo/client';
import { counted, formatCount } from '@continuo/operations';

/** A run of the sonic analysis as the management API shows it. */
export type Run = ManageTypes['schemas']['SonicRun'];

/** Progress of a run, in one line. */
export const describeRun = ({ progress, analysed, reused, known, failed }: Run): string =>
  [
    `${formatCount(progress?.done ?? 0)} of ${counted(progress?.total ?? 0, 'part')}`,
    `${formatCount(analysed)} analysed`,
    ...(reused > 0 ? [`${formatCount(reused)} of a sound that was known`] : []),
    ...(known > 0 ? [`${formatCount(known)} known already`] : []),
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
  ].join(', ');
