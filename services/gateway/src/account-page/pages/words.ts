/** Names of access levels. */
const LEVELS: Readonly<Record<number, string>> = {
  5: 'Guest',
  25: 'User',
  50: 'Content manager',
  75: 'Catalog manager',
  100: 'Administrator',
};

/** The name of an access level. */
export const levelName = (level: number): string => LEVELS[level] ?? String(level);

/** Levels that an account can have. */
export const LEVEL_NUMBERS = Object.keys(LEVELS).map(Number);

/** A moment as people read it, in universal time, which every browser shows alike. */
export const moment = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** A day. */
export const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
