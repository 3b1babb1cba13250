import { isRoleTaken } from '../../preferences/account-roles.js';
import type { PreferenceSnapshot } from '../../preferences/preference-snapshot.js';
import { soundFormatNamed, type SoundFormat } from './sound-formats.js';

/** Stream settings of an account: its preferences, the server's, and limits set by administrators. */
export interface StreamRules {
  /** `never`: preferences and requests convert nothing; `required`: everything that is not in the target form is converted. */
  readonly mode: 'default' | 'never' | 'required';
  /** Form of what is converted when nobody names one. */
  readonly format: SoundFormat;
  /** Bit rate of what is converted when nobody names one. */
  readonly bitrateKbps: number;
  /** Highest bit rate of a stream that names none: there when somebody has set the preference. */
  readonly plainKbps?: number;
  /** Highest bit rate at which the account is sent media, whatever it requests. */
  readonly limitKbps?: number;
  /** False for an account whose administrators let it have no video converted. */
  readonly convertsVideos?: boolean;
}

/** Rules without any settings: originals are sent. */
export const NO_RULES: StreamRules = { mode: 'default', format: 'mp3', bitrateKbps: 128 };

/** Lower rates are taken for this one. */
const LOWEST_KBPS = 8;

const modeOf = (word: string): StreamRules['mode'] => (word === 'never' || word === 'required' ? word : 'default');

const rateOf = (kbps: number): number | undefined =>
  Number.isFinite(kbps) && kbps > 0 ? Math.max(LOWEST_KBPS, Math.floor(kbps)) : undefined;

/**
 * The rules for an account: preferences `transcode`, `transcode_bitrate` and `transcode_format`, and the limit that administrators set (`maxBitRate` of the
 * compatibility API). A bit rate that the account or the server has set also holds for streams that name none, as the recorded answers of the native API show; the
 * one that nobody has set is that of conversions only.
 */
export const streamRules = (
  account: { readonly id: number; readonly maxBitrateBps?: number | null },
  preferences: Pick<PreferenceSnapshot, 'of' | 'numberOf' | 'isSet' | 'isOn'>,
): StreamRules => {
  const wanted = rateOf(preferences.numberOf(account.id, 'transcode_bitrate'));
  const limitKbps = rateOf((account.maxBitrateBps ?? 0) / 1000);
  return {
    mode: modeOf(preferences.of(account.id, 'transcode')),
    format: soundFormatNamed(preferences.of(account.id, 'transcode_format')) ?? NO_RULES.format,
    bitrateKbps: wanted ?? NO_RULES.bitrateKbps,
    ...(wanted !== undefined && preferences.isSet(account.id, 'transcode_bitrate') ? { plainKbps: wanted } : {}),
    ...(limitKbps === undefined ? {} : { limitKbps }),
    ...(isRoleTaken(preferences, account.id, 'videoConversion') ? { convertsVideos: false } : {}),
  };
};

/** True when nothing is converted that nobody asks for. */
export const sendsOriginals = ({ mode, plainKbps, limitKbps }: StreamRules): boolean =>
  limitKbps === undefined && (mode === 'never' || (mode === 'default' && plainKbps === undefined));
