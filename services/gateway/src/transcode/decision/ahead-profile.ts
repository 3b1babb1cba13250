import type { TranscodeProfile } from '@continuo/contracts';
import { fitSound } from './fit-sound.js';
import type { SoundFacts } from './sound-facts.js';
import { soundFormats, type SoundFormat } from './sound-formats.js';
import type { StreamRules } from './stream-rules.js';

/** Sound that limits no conversion. */
const ANY_SOUND: SoundFacts = {
  format: '',
  codec: '',
  mime: '',
  isLossless: true,
  bitrateBps: 0,
  sampleRateHz: 0,
  channels: 0,
  bitDepth: 0,
  durationMs: 0,
};

const isSound = (format: string): format is SoundFormat => Object.hasOwn(soundFormats, format);

/** Gives sound that is made ahead the bit rate of streams that name none, unless the profile has one: streams find only a transcode of their own rate. */
export const aheadProfile = (profile: TranscodeProfile, { bitrateKbps: wanted }: Pick<StreamRules, 'bitrateKbps'>): TranscodeProfile => {
  if (profile.bitrateKbps !== undefined || !isSound(profile.format)) return profile;
  const { bitrateKbps } = fitSound(ANY_SOUND, profile.format, wanted);
  return bitrateKbps === undefined ? profile : { ...profile, bitrateKbps };
};
