import { MAX_SMARTLIST_NAME } from '@continuo/contracts';

/**
 * A name that none of the others is: with the first free number behind it where it is taken already.
 * @param taken the other names of the same owner and type
 */
export const freeName = (wanted: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(wanted)) return wanted;
  for (let n = 2; ; n += 1) {
    const suffix = ` (${n})`;
    const name = wanted.slice(0, MAX_SMARTLIST_NAME - suffix.length).trimEnd() + suffix;
    if (!taken.has(name)) return name;
  }
};
