import { defencesOf, type Defence } from '../defence.js';

const urls = 'gateway/src/auth/credentials/player-urls.ts';
const login = 'gateway/src/auth/player-login.unit.spec.ts';
const text = 'playback/src/localplay/mpd/mpd-text.ts';
const textSpec = 'playback/src/localplay/mpd/mpd-text.unit.spec.ts';

/** Rows 2, 3, 8 and 17, as far as a player on the server opens a way. */
export const playerDefences: readonly Defence[] = defencesOf([
  [
    2,
    'play on the server below the level that it asks for',
    'gateway/src/features/localplay/availability.ts',
    'return access >= level ||',
    'return access >= 0 ||',
    'gateway/src/apis/native/localplay.int.spec.ts',
    'who may',
  ],
  [3, 'play something else by the address of what is queued', urls, "name !== 'ssid'", "name === 'oid'", login],
  [
    3,
    'play by an address that nobody has signed',
    urls,
    'mark !== undefined && isMark(signed(`l-${user}-${hour}`, params), mark) ?',
    'mark !== undefined ?',
    login,
  ],
  [3, 'play what is queued for ever', urls, '!parts || Number.parseInt(parts.hour, 36) * HOUR_MS <= now()', '!parts', login],
  [
    3,
    'have a player play for a disabled account',
    'gateway/src/auth/credentials/identities.ts',
    'const stored = userId && this.enabled(snapshot, userId);',
    'const stored = userId && snapshot.userById(userId);',
    login,
  ],
  [8, 'have a player obey the name of a song', text, ".replace(/\\p{Cc}/gu, ' ')", '', textSpec],
  [8, 'end a quoted name from within', text, ".replace(/[\"\\\\]/g, '\\\\$&')", '', textSpec],
  [
    17,
    'read in the queue of a player what they do not see',
    'gateway/src/features/localplay/queue-entries.ts',
    "return video ? { kind: 'video', video } : { kind: 'hidden' };",
    "return video ? { kind: 'video', video } : { kind: 'foreign', entry };",
    'gateway/src/apis/native/localplay.int.spec.ts',
    'knows no more',
  ],
]);
