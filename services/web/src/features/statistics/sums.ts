/** Plays of an hour of a day, as the API answers them. */
export interface HeardHour {
  /** `2026-03-01`. */
  readonly day: string;
  /** 0 to 23. */
  readonly hour: number;
  readonly plays: number;
  /** Seconds. */
  readonly time: number;
}

/** Seconds by index: of 24 hours, 7 days of the week from Monday on, 12 months; and by day. */
export interface ListeningSums {
  readonly hours: readonly number[];
  readonly weekdays: readonly number[];
  readonly months: readonly number[];
  readonly days: ReadonlyMap<string, number>;
}

const MS_PER_DAY = 86_400_000;
const atNoonUtc = (day: string): Date => new Date(`${day}T12:00:00Z`);

/** Adds up the hours of a year. */
export const sumsOf = (heard: readonly HeardHour[]): ListeningSums => {
  const [hours, weekdays, months] = [24, 7, 12].map((count) => Array.from({ length: count }, () => 0)) as [number[], number[], number[]];
  const days = new Map<string, number>();
  const add = (sums: number[], at: number, time: number): void => void (sums[at] = (sums[at] ?? 0) + time);
  for (const { day, hour, time } of heard) {
    const date = atNoonUtc(day);
    add(hours, hour, time);
    add(weekdays, (date.getUTCDay() + 6) % 7, time);
    add(months, date.getUTCMonth(), time);
    days.set(day, (days.get(day) ?? 0) + time);
  }
  return { hours, weekdays, months, days };
};

/** A number of days in a row on which something was heard. */
export interface Streak {
  readonly length: number;
  readonly last: string;
}

/** Streaks of days, in their order. @param days in any order, each once */
export const streaksOf = (days: Iterable<string>): readonly Streak[] => {
  const streaks: { length: number; last: string }[] = [];
  for (const day of [...days].toSorted()) {
    const open = streaks.at(-1);
    if (open && atNoonUtc(day).getTime() - atNoonUtc(open.last).getTime() === MS_PER_DAY)
      Object.assign(open, { length: open.length + 1, last: day });
    else streaks.push({ length: 1, last: day });
  }
  return streaks;
};

/** Length of the streak that goes on: its last day is today or the day before. */
export const currentStreak = (streaks: readonly Streak[], today: string): number => {
  const last = streaks.at(-1);
  return last && atNoonUtc(today).getTime() - atNoonUtc(last.last).getTime() <= MS_PER_DAY ? last.length : 0;
};

/** Beginning and end of a year in the time zone of this browser, epoch seconds; the API takes 366 days at most. */
export const periodOf = (year: number): { readonly since: number; readonly until: number } => {
  const [since, until] = [year, year + 1].map((one) => new Date(one, 0, 1).getTime() / 1000) as [number, number];
  return { since, until: Math.min(until, since + 366 * (MS_PER_DAY / 1000)) };
};
