import { playerBackEnds, type AccessLevel, type PlayerBackEnd } from '@continuo/contracts';
import { isRoleGiven, type PreferenceSnapshot } from '../../preferences/index.js';

/** Whether an account may use the server's player. */
export type LocalplayAvailability =
  | { readonly kind: 'open'; readonly backEnd: PlayerBackEnd }
  /** Off for this server or for everybody. */
  | { readonly kind: 'off' }
  /** Allowed from this access level on. */
  | { readonly kind: 'below'; readonly level: AccessLevel };

/** Evaluates the preferences `localplay_controller`, `allow_localplay_playback` and `localplay_level` for an account. */
export const localplayAvailability = (
  preferences: PreferenceSnapshot,
  { id, access }: { readonly id: number; readonly access: number },
): LocalplayAvailability => {
  const named = preferences.of(id, 'localplay_controller');
  const backEnd = playerBackEnds.find((name) => name === named);
  // The preference has no other values; 0 means nobody.
  const level = preferences.numberOf(id, 'localplay_level') as AccessLevel | 0;
  if (backEnd === undefined || level === 0 || !preferences.isOn(id, 'allow_localplay_playback')) return { kind: 'off' };
  return access >= level || isRoleGiven(preferences, { id, access }, 'jukebox') ? { kind: 'open', backEnd } : { kind: 'below', level };
};
