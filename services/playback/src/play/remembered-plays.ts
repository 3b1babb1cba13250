import type { PlayableType } from '@continuo/contracts';

/**
 * Number of a user's latest plays that are at least remembered to recognise repetitions. Twice the largest command, so that a client which sends
 * its whole offline list again is recognised even when other plays came in between.
 */
export const REMEMBERED_PLAYS = 2000;
/** Plays of known length that are remembered with it, to tell what goes on from what begins anew. */
export const REMEMBERED_LENGTHS = 64;

/** So much earlier than its end a song may begin again and be another play: clocks and gaps of players are not exact. */
const EARLY_MS = 5000;
const EARLY_PART = 0.1;

/** Medium of a play: songs by their number, everything else by kind and number. */
export type Thing = number | string;

/** The thing that something playable is. */
export const thingOf = (objectType: PlayableType, objectId: number): Thing =>
  objectType === 'song' ? objectId : `${objectType}:${objectId}`;

/** A play as clients say it. */
export interface ReportedPlay {
  readonly thing: Thing;
  readonly playedAtMs: number;
  readonly client: string;
}

/** A play of known length: what, start, length in milliseconds, client. An array, because hundreds of thousands of them lie in snapshots. */
type LongPlay = readonly [thing: Thing, playedAtMs: number, durationMs: number, client: string];

/** The latest plays of a user. */
export interface RememberedPlays {
  /** Fingerprints of {@link FINGERPRINT_LENGTH} characters, oldest first: one text is read and written twenty times faster than a list of keys. */
  readonly fingerprints: string;
  /** The latest of known length, oldest first, at most {@link REMEMBERED_LENGTHS}. */
  readonly lengths: readonly LongPlay[];
}

/** Nothing was played yet. */
export const noPlays: RememberedPlays = { fingerprints: '', lengths: [] };

/** Characters of a fingerprint: 54 bits, so that one of 2,000 is mistaken once in ten million million plays. */
const FINGERPRINT_LENGTH = 9;
/** Cut only now and then, which copies less. */
const CUT_BEYOND = REMEMBERED_PLAYS + 256;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_';
const FIRST_MULTIPLIER = 0x9e3779b1;
const SECOND_MULTIPLIER = 0x85ebca77;
const MIX = 0xc2b2ae35;
const BITS = 6;
const HALF_BITS = 27;

const mixed = (hash: number): number => {
  const once = Math.imul(hash ^ (hash >>> 15), MIX);
  return (once ^ (once >>> 13)) >>> (32 - HALF_BITS);
};

const fingerprint = ({ thing, playedAtMs, client }: ReportedPlay): string => {
  const text = `${thing}@${playedAtMs}/${client}`;
  let [one, two] = [0x12345678, 0x5bd1e995];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, FIRST_MULTIPLIER);
    one ^= one >>> 16;
    two = Math.imul(two ^ code, SECOND_MULTIPLIER);
    two ^= two >>> 14;
  }
  let bits = mixed(one) * 2 ** HALF_BITS + mixed(two);
  let print = '';
  for (let digit = 0; digit < FINGERPRINT_LENGTH; digit += 1) {
    print += ALPHABET.charAt(bits % 2 ** BITS);
    bits = Math.floor(bits / 2 ** BITS);
  }
  return print;
};

const holds = (fingerprints: string, print: string): boolean => {
  for (let at = fingerprints.indexOf(print); at >= 0; at = fingerprints.indexOf(print, at + 1))
    if (at % FINGERPRINT_LENGTH === 0) return true;
  return false;
};

/** Time after its start in which the same song is still the same play. */
const sameFor = (durationMs: number): number => durationMs - Math.min(EARLY_MS, durationMs * EARLY_PART);

const isSame = ([thing, atMs, durationMs, client]: LongPlay, said: ReportedPlay, byAnyClient: boolean): boolean => {
  if (thing !== said.thing) return false;
  const afterMs = said.playedAtMs - atMs;
  if (client === said.client) return Math.abs(afterMs) < sameFor(durationMs);
  return byAnyClient && afterMs >= 0 && afterMs < sameFor(durationMs);
};

/**
 * True for a play that is known: the same client said so of this moment before, or of one less than the song's length apart. With `byAnyClient` also when another
 * client of the user had begun the song less than its length before.
 */
export const isAlreadyReported = (plays: RememberedPlays, said: ReportedPlay, { byAnyClient = false } = {}): boolean =>
  plays.lengths.some((play) => isSame(play, said, byAnyClient)) || holds(plays.fingerprints, fingerprint(said));

/** The plays and one more. */
export const withPlay = (plays: RememberedPlays, said: ReportedPlay, durationMs: number): RememberedPlays => {
  const all = plays.fingerprints + fingerprint(said);
  const fingerprints = all.length > CUT_BEYOND * FINGERPRINT_LENGTH ? all.slice(-REMEMBERED_PLAYS * FINGERPRINT_LENGTH) : all;
  if (durationMs <= 0) return { ...plays, fingerprints };
  const long: LongPlay = [said.thing, said.playedAtMs, durationMs, said.client];
  return { fingerprints, lengths: [...plays.lengths.slice(1 - REMEMBERED_LENGTHS), long] };
};

/** The plays, one of them only known by its moment: the same may begin anew at once. */
export const withoutLength = (plays: RememberedPlays, { thing, playedAtMs, client }: ReportedPlay): RememberedPlays => ({
  ...plays,
  lengths: plays.lengths.filter(([of, atMs, , by]) => of !== thing || atMs !== playedAtMs || by !== client),
});
