import type { TranscodeTarget } from '@continuo/contracts';
import type { SoundProfile } from './sound-table.js';

const clamped = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** The highest rate that is taken and not above the wanted one; the lowest one where all are above it. */
const fitted = (rates: readonly number[], wantedHz: number): number => rates.findLast((rate) => rate <= wantedHz) ?? rates[0] ?? wantedHz;

const rounding = (profile: SoundProfile, { rateIsSet, channelsAreSet, kbps }: Rounding): readonly string[] => {
  const rates = rateIsSet ? undefined : (profile.usualRates?.(kbps) ?? profile.rates);
  const layouts = channelsAreSet ? undefined : profile.usualLayouts;
  const parts = [...(rates ? [`sample_rates=${rates.join('|')}`] : []), ...(layouts ? [`channel_layouts=${layouts.join('|')}`] : [])];
  return parts.length > 0 ? ['-af', `aformat=${parts.join(':')}`] : [];
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
  return [
    '-c:a',
    profile.encoder,
    ...(bounds ? ['-b:a', `${kbps}k`, ...(profile.extra?.(kbps) ?? [])] : []),
    ...(rate === undefined ? [] : ['-ar', String(rate)]),
    ...(channels === undefined ? [] : ['-ac', String(channels)]),
    ...rounding(profile, { rateIsSet: rate !== undefined, channelsAreSet: channels !== undefined, kbps }),
  ];
};
