import { Rejection, type TranscodeProfile } from '@continuo/contracts';
import { fitSound } from './fit-sound.js';
import type { SoundFacts } from './sound-facts.js';
import { soundFormats, type SoundFormat } from './sound-formats.js';
import type { StreamRules } from './stream-rules.js';
import { decideVideo, videoFormatNamed, type VideoFacts } from './video/decide-video.js';

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

/**
 * Gives a video that is made ahead the form of streams that ask for the same format, and for the same bit rate of sound and picture together where the
 * profile has one: streams find only that. A profile that describes the picture itself stays as it is.
 * @throws Rejection `input.invalid` when such streams are the file as it is, and what {@link decideVideo} throws
 */
export const aheadVideo = (profile: TranscodeProfile, facts: VideoFacts, rules: StreamRules): TranscodeProfile => {
  const { bitrateKbps: maxKbps, ...asked } = profile;
  const format = videoFormatNamed(profile.format);
  if (profile.picture !== undefined || format === undefined) return profile;
  const decided = decideVideo(facts, { format, maxKbps }, rules);
  if (decided.kind === 'direct') throw new Rejection('input.invalid', 'whoever asks for this form gets the file as it is', 'profile');
  const { bitrateKbps, channels, picture } = decided.target;
  return { ...(bitrateKbps && { bitrateKbps }), ...(channels && { channels }), ...(picture && { picture }), ...asked };
};
