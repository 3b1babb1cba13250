import { playerBackEnds, type AccessLevel, type PlayerBackEnd } from '@continuo/contracts';
import type { PreferenceSnapshot } from '../preferences/index.js';

/** How an account stands to playing on the server itself. */
export type LocalplayStanding =
  | { readonly kind: 'open'; readonly backEnd: PlayerBackEnd }
  /** Nothing plays there, or nobody may. */
  | { readonly kind: 'off' }
  /** From this access level on it may. */
  | { readonly kind: 'below'; readonly level: AccessLevel };

/** What the preferences `localplay_controller`, `allow_localplay_playback` and `localplay_level` say of an account (native README section 13). */
export const localplayStanding = (
  preferences: PreferenceSnapshot,
  { id, access }: { readonly id: number; readonly access: number },
): LocalplayStanding => {
  const named = preferences.of(id, 'localplay_controller');
  const backEnd = playerBackEnds.find((name) => name === named);
  // The preference has no other words; 0 is nobody.
  const level = preferences.numberOf(id, 'localplay_level') as AccessLevel | 0;
  if (backEnd === undefined || level === 0 || !preferences.isOn(id, 'allow_localplay_playback')) return { kind: 'off' };
  return access >= level ? { kind: 'open', backEnd } : { kind: 'below', level };
};
