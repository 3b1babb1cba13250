import { given, type TranscodeTarget } from '@continuo/contracts';
import type { ClientInfo, DirectPlayProfile, Limitation, TranscodingProfile } from './client-info.js';
import { fitSound, fittedBitrateBps, type FittedSound } from './fit-sound.js';
import type { SoundFacts } from './sound-facts.js';
import { isSameCodec, isSameContainer, soundFormatNamed, soundFormats, type SoundFormat } from './sound-formats.js';
import { holds, lowered, propertyOf, type PropertyName, type SoundProperties } from './sound-limits.js';
import type { StreamRules } from './stream-rules.js';

/** Sound as the answer describes it (OpenSubsonic `StreamDetails`), bit rates in bits per second. */
export interface StreamDetails {
  readonly protocol: 'http';
  readonly container: string;
  readonly codec: string;
  readonly audioChannels?: number;
  readonly audioBitrate?: number;
  readonly audioProfile?: string;
  readonly audioSamplerate?: number;
  readonly audioBitdepth?: number;
}

/** Decision for a client with known capabilities. */
export interface ClientDecision {
  readonly canDirectPlay: boolean;
  /** Transcode to send instead; absent when the file can be played as it is, or nothing fits. */
  readonly target?: TranscodeTarget;
  /** Why the file cannot be played as it is, one for each way that was tried. */
  readonly reasons: readonly string[];
  /** Why nothing can be sent at all. */
  readonly error?: string;
  readonly source: StreamDetails;
  readonly output?: StreamDetails;
}

const reasonOf: Readonly<Record<PropertyName, string>> = {
  audioChannels: 'AudioChannelsNotSupported',
  audioBitrate: 'AudioBitrateNotSupported',
  audioSamplerate: 'AudioSamplerateNotSupported',
  audioBitdepth: 'AudioBitdepthNotSupported',
  audioProfile: 'AudioProfileNotSupported',
};

const WAV_BITS = 16;
/** The only profile of AAC that is made here. */
const AAC_PROFILE = 'LC';

const known = (value: number): number | undefined => (value > 0 ? value : undefined);

const propertiesOf = (facts: SoundFacts): SoundProperties => ({
  audioChannels: known(facts.channels),
  audioBitrate: known(facts.bitrateBps),
  audioSamplerate: known(facts.sampleRateHz),
  audioBitdepth: known(facts.bitDepth),
  audioProfile: undefined,
});

const detailsOf = (container: string, codec: string, properties: SoundProperties): StreamDetails => ({
  protocol: 'http',
  container,
  codec,
  ...given(properties),
});

/** Returns the limits of the client's codec profiles for a codec. */
const limitationsOf = ({ codecProfiles }: ClientInfo, codec: string): readonly Limitation[] =>
  codecProfiles
    .filter(({ type, name }) => type.toLowerCase() === 'audiocodec' && isSameCodec(name, codec))
    .flatMap(({ limitations }) => limitations);

const allows = (names: readonly string[], isSame: (name: string) => boolean): boolean =>
  names.length === 0 || names.some((name) => name === '*' || isSame(name));

/** Why a file cannot be played by a profile; undefined when it can. */
const rejection = (facts: SoundFacts, profile: DirectPlayProfile, limitations: readonly Limitation[]): string | undefined => {
  const { protocols, containers, audioCodecs, maxAudioChannels = Number.POSITIVE_INFINITY } = profile;
  if (!allows(protocols, (name) => name === 'http' || name === '')) return 'ProtocolNotSupported';
  if (!allows(containers, (name) => isSameContainer(name, facts.format))) return 'ContainerNotSupported';
  if (!allows(audioCodecs, (name) => isSameCodec(name, facts.codec))) return 'AudioCodecNotSupported';
  if (facts.channels > maxAudioChannels) return 'AudioChannelsNotSupported';
  const properties = propertiesOf(facts);
  for (const limitation of limitations) {
    const name = propertyOf(limitation);
    if (limitation.required && name && !holds(properties[name], limitation)) return reasonOf[name];
  }
  return undefined;
};

/** A client that names no profile is taken to play anything, as the reference takes it. */
const ANYTHING: DirectPlayProfile = { containers: [], audioCodecs: [], protocols: [], maxAudioChannels: undefined };

const directReasons = (facts: SoundFacts, client: ClientInfo, rules: StreamRules): readonly string[] => {
  const ceiling = Math.min(client.maxAudioBitrate ?? Infinity, (rules.limitKbps ?? Infinity) * 1000);
  if (facts.bitrateBps > ceiling) return ['AudioBitrateNotSupported'];
  const limitations = limitationsOf(client, facts.codec);
  const profiles = client.directPlayProfiles.length === 0 ? [ANYTHING] : client.directPlayProfiles;
  const reasons: string[] = [];
  for (const profile of profiles) {
    const reason = rejection(facts, profile, limitations);
    if (reason === undefined) return [];
    reasons.push(reason);
  }
  return reasons;
};

/** The form that a profile means; undefined for one that cannot be made. */
const formatOf = ({ container, audioCodec, protocol }: TranscodingProfile): SoundFormat | undefined => {
  if (protocol === 'hls') return undefined;
  const byContainer = (Object.keys(soundFormats) as SoundFormat[]).filter((form) => {
    const { suffix, codec } = soundFormats[form];
    return isSameCodec(codec, audioCodec) && (container === '' || isSameContainer(suffix, container));
  });
  return byContainer[0] ?? (audioCodec === '' ? soundFormatNamed(container) : undefined);
};

const fittedProperties = (facts: SoundFacts, fitted: FittedSound): SoundProperties => {
  const { codec, isLossless } = soundFormats[fitted.format];
  return {
    audioChannels: fitted.channels,
    audioBitrate: fittedBitrateBps(fitted, facts),
    audioSamplerate: fitted.sampleRateHz,
    audioBitdepth: isLossless ? (fitted.format === 'wav' ? WAV_BITS : facts.bitDepth || WAV_BITS) : undefined,
    audioProfile: codec === 'aac' ? AAC_PROFILE : undefined,
  };
};

/** The highest bit rate that a conversion may have, in kbit/s: what the client and the administrators set, and whether anybody did. */
const rateOf = (client: ClientInfo, rules: StreamRules): { readonly kbps: number; readonly isSet: boolean } => {
  const asked = client.maxTranscodingAudioBitrate ?? client.maxAudioBitrate;
  const kbps = Math.min(asked === undefined ? rules.bitrateKbps : asked / 1000, rules.limitKbps ?? Infinity);
  return { kbps, isSet: asked !== undefined || rules.limitKbps !== undefined };
};

/** The facts of a file whose channels, sample rate and bit rate are lowered until what is made of it is as the limitations want it. */
const narrowed = (facts: SoundFacts, fitted: FittedSound, limitations: readonly Limitation[]): { facts: SoundFacts; kbps: number } => {
  let { channels, sampleRateHz } = fitted;
  let kbps = fitted.bitrateKbps ?? 0;
  for (const limitation of limitations) {
    const name = propertyOf(limitation);
    if (name === 'audioChannels') channels = lowered(channels, limitation) ?? channels;
    if (name === 'audioSamplerate') sampleRateHz = lowered(sampleRateHz, limitation) ?? sampleRateHz;
    if (name === 'audioBitrate') kbps = (lowered(kbps * 1000, limitation) ?? kbps * 1000) / 1000;
  }
  return { facts: { ...facts, channels, sampleRateHz }, kbps };
};

interface Fitting {
  readonly target: TranscodeTarget;
  readonly output: StreamDetails;
}

const canCopy = (facts: SoundFacts, format: SoundFormat, fitted: FittedSound, kbps: number): boolean => {
  const { codec, isLossless } = soundFormats[format];
  const isSame =
    codec === facts.codec && codec !== 'pcm' && fitted.channels === facts.channels && fitted.sampleRateHz === facts.sampleRateHz;
  return isSame && (isLossless || facts.bitrateBps <= kbps * 1000);
};

/** Fits a file into a profile; undefined when it cannot fit. */
const fitProfile = (facts: SoundFacts, profile: TranscodingProfile, client: ClientInfo, rules: StreamRules): Fitting | undefined => {
  const format = formatOf(profile);
  if (!format) return undefined;
  const { codec, suffix, isLossless } = soundFormats[format];
  if (isLossless && !facts.isLossless) return undefined;
  const { kbps, isSet } = rateOf(client, rules);
  const narrow = { ...facts, channels: Math.min(facts.channels || 2, profile.maxAudioChannels ?? Infinity) };
  const limitations = limitationsOf(client, codec);
  const first = narrowed(narrow, fitSound(narrow, format, kbps), limitations);
  const fitted = fitSound(first.facts, format, isLossless ? kbps : first.kbps);
  const properties = fittedProperties(facts, fitted);
  if (isLossless && isSet && (properties.audioBitrate ?? 0) > kbps * 1000) return undefined;
  const isUnfit = limitations.some((one) => {
    const name = propertyOf(one);
    return one.required && name !== undefined && !holds(properties[name], one);
  });
  if (isUnfit) return undefined;
  const output = detailsOf(isSameContainer(profile.container, suffix) ? profile.container.toLowerCase() : suffix, codec, properties);
  if (
    canCopy(facts, format, fitted, kbps) &&
    limitations.every((one) => holds(propertiesOf(facts)[propertyOf(one) ?? 'audioProfile'], one))
  ) {
    return { target: { format, copySound: true, offsetMs: 0 }, output: detailsOf(output.container, codec, propertiesOf(facts)) };
  }
  const { bitrateKbps, sampleRateHz, channels } = fitted;
  return {
    target: {
      format,
      ...(bitrateKbps === undefined ? {} : { bitrateKbps }),
      ...(sampleRateHz === facts.sampleRateHz ? {} : { sampleRateHz }),
      ...(channels === facts.channels ? {} : { channels }),
      offsetMs: 0,
    },
    output,
  };
};

/**
 * Whether a client can play a file as it is, else what can be made of it: direct play by the first profile that fits, then
 * the transcoding profiles in the client's order. Over plain HTTP alone.
 */
export const decideForClient = (facts: SoundFacts, client: ClientInfo, rules: StreamRules): ClientDecision => {
  const source = detailsOf(facts.format, facts.codec, propertiesOf(facts));
  const reasons = directReasons(facts, client, rules);
  if (reasons.length === 0) return { canDirectPlay: true, reasons: [], source };
  if (rules.mode === 'never') return { canDirectPlay: false, reasons, source, error: 'The account does not want its media converted' };
  for (const profile of client.transcodingProfiles) {
    const fitting = fitProfile(facts, profile, client, rules);
    if (fitting) return { canDirectPlay: false, reasons, source, ...fitting };
  }
  const error =
    client.transcodingProfiles.length === 0 ? 'The client names no transcoding profile' : 'No transcoding profile of the client can be met';
  return { canDirectPlay: false, reasons, source, error };
};
