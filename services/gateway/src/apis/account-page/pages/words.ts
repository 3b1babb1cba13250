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

/** Formats a time in UTC, to the minute. */
export const moment = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Formats a date in UTC. */
export const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
