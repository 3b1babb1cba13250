import { Rejection } from '@continuo/contracts';
import { ConcurrencyConflict } from '../event-store/event-store.js';
import { retry } from '../retry.js';

/** True for a refusal `conflict`: that of a decider, or that of the runner after its last try. */
export const isConflict = (error: unknown): boolean => error instanceof Rejection && error.code === 'conflict';

/** True when others wrote to the aggregate during each try of the runner; no decider has refused anything. */
export const isOvertaken = (error: unknown): boolean => error instanceof Rejection && error.cause instanceof ConcurrencyConflict;

/** Works again, at once, after a conflict: so many times in all. @throws the last error */
export const retryConflicts = <T>(tries: number, work: () => Promise<T>, isTransient = isConflict): Promise<T> =>
  retry(work, { pauseMs: () => 0, tries, isTransient });
