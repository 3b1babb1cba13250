import type { TranscodeBatchTable, TranscodeProfile } from '@continuo/contracts';
import { counted, formatCount, formatDuration } from '../output/table.js';

/** What is made, for people: `opus 96 kbit/s`. */
export const profileText = (profile: string): string => {
  const { format, bitrateKbps, sampleRateHz, channels } = JSON.parse(profile) as TranscodeProfile;
  return [format, bitrateKbps && `${bitrateKbps} kbit/s`, sampleRateHz && `${sampleRateHz} Hz`, channels && `${channels} channels`]
    .filter(Boolean)
    .join(' ');
};

/** How far a batch is, in one line. */
export const describeBatch = ({ items, made, present, failed }: TranscodeBatchTable): string =>
  [
    `${formatCount(made + present + failed)} of ${counted(items, 'file')}`,
    `${formatCount(made)} made`,
    ...(present > 0 ? [`${formatCount(present)} there already`] : []),
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
  ].join(', ');

/** How long a batch took, or has taken at `nowMs`. */
export const batchDuration = ({ requested_at_ms: from, ended_at_ms: to }: TranscodeBatchTable, nowMs: number): string =>
  formatDuration(Math.max(0, (to ?? nowMs) - from));
