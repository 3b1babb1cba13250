import type { TranscodeTarget } from '@continuo/contracts';
import type { SoundProfile } from './sound-table.js';

const clamped = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** The highest rate that is taken and not above the wanted one; the lowest one where all are above it. */
const fitted = (rates: readonly number[], wantedHz: number): number => rates.findLast((rate) => rate <= wantedHz) ?? rates[0] ?? wantedHz;

/** Filter that changes the loudness. FLAC is given whole numbers, so that samples of 16 bits do not become such of 24, half as large again. */
export const gainFilter = ({ format, gainDb = 0 }: Pick<TranscodeTarget, 'format' | 'gainDb'>): readonly string[] => {
  const decibels = gainDb.toFixed(2);
  return Number(decibels) === 0 ? [] : [`volume=${decibels}dB${format === 'flac' ? ':precision=fixed' : ''}`];
};

const rounding = (profile: SoundProfile, { rateIsSet, channelsAreSet, kbps }: Rounding): readonly string[] => {
  const rates = rateIsSet ? undefined : (profile.usualRates?.(kbps) ?? profile.rates);
  const layouts = channelsAreSet ? undefined : profile.usualLayouts;
  const parts = [...(rates ? [`sample_rates=${rates.join('|')}`] : []), ...(layouts ? [`channel_layouts=${layouts.join('|')}`] : [])];
  return parts.length > 0 ? [`aformat=${parts.join(':')}`] : [];
};

interface Rounding {
  readonly rateIsSet: boolean;
  readonly channelsAreSet: boolean;
  readonly kbps: number;
}

/** ffmpeg arguments for the sound: the target, limited to what the format can hold. */
export const soundArguments = (profile: SoundProfile, target: TranscodeTarget): readonly string[] => {
  if (target.copySound === true) return ['-c:a', 'copy'];
  const rate = target.sampleRateHz === undefined || !profile.rates ? target.sampleRateHz : fitted(profile.rates, target.sampleRateHz);
  const channels = target.channels === undefined ? undefined : Math.min(target.channels, profile.maxChannels);
  const bounds = profile.bounds?.(rate, channels);
  const kbps = bounds ? clamped(target.bitrateKbps ?? profile.usualKbps ?? bounds.most, bounds.least, bounds.most) : 0;
  const filters = [
    ...gainFilter(target),
    ...rounding(profile, { rateIsSet: rate !== undefined, channelsAreSet: channels !== undefined, kbps }),
  ];
  return [
    '-c:a',
    profile.encoder,
    ...(bounds ? ['-b:a', `${kbps}k`, ...(profile.extra?.(kbps) ?? [])] : []),
    ...(rate === undefined ? [] : ['-ar', String(rate)]),
    ...(channels === undefined ? [] : ['-ac', String(channels)]),
    ...(filters.length > 0 ? ['-af', filters.join(',')] : []),
  ];
};
