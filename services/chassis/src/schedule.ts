import { Cron } from 'croner';

/** The next moment of a schedule after another one, epoch ms; undefined when there is none. */
export const nextTurn = (expression: string, timeZone: string, afterMs: number): number | undefined =>
  new Cron(expression, { timezone: timeZone }).nextRun(new Date(afterMs))?.getTime();

/** True for an expression that names moments. */
export const isSchedule = (expression: string): boolean => {
  try {
    return nextTurn(expression, 'UTC', 0) !== undefined;
  } catch {
    // The library says by an error what it cannot read.
    return false;
  }
};
