import type { ManageTypes } from '@continuo/client';
import { counted, formatCount } from '@continuo/operations';

/** A batch of transcodes as the management API shows it. */
export type Batch = ManageTypes['schemas']['TranscodeBatch'];

/** Text of a profile: `opus 96 kbit/s`, `mp4 640x360 500 kbit/s, sound 64 kbit/s 2 channels`. */
export const profileText = ({ format, picture, bitrateKbps, sampleRateHz, channels }: Batch['profile']): string => {
  const sound = [bitrateKbps && `${bitrateKbps} kbit/s`, sampleRateHz && `${sampleRateHz} Hz`, channels && `${channels} channels`];
  const shown = picture && `${picture.maxWidthPx}x${picture.maxHeightPx} ${picture.bitrateKbps} kbit/s, sound`;
  return [format, shown, ...sound].filter(Boolean).join(' ');
};

/** Progress of a batch, in one line. */
export const describeBatch = ({ progress, made, present, failed }: Batch): string =>
  [
    `${formatCount(made + present + failed)} of ${counted(progress?.total ?? 0, 'file')}`,
    `${formatCount(made)} made`,
    ...(present > 0 ? [`${formatCount(present)} there already`] : []),
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
  ].join(', ');
