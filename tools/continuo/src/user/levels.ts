import type { AccessLevel } from '@continuo/contracts';
import { InvalidArgumentError } from 'commander';

/** Access levels by their names on the command line. */
export const levelNames = { guest: 5, user: 25, content: 50, catalog: 75, admin: 100 } as const satisfies Record<string, AccessLevel>;

/** The name of a level; its number where it has none. */
export const levelName = (level: number): string => Object.entries(levelNames).find(([, value]) => value === level)?.[0] ?? String(level);

/** Reads a level by name or number. @throws InvalidArgumentError that lists the levels. */
export const parseLevel = (text: string): AccessLevel => {
  const found = Object.entries(levelNames).find(([name, value]) => name === text.toLowerCase() || String(value) === text);
  if (!found)
    throw new InvalidArgumentError(
      `the levels are ${Object.entries(levelNames)
        .map(([name, n]) => `${name} (${n})`)
        .join(', ')}`,
    );
  return found[1];
};
