import { Rejection } from '@continuo/contracts';
import { OutboundError } from '@continuo/chassis';
import { TransientError } from './retries.js';
import { StorageUnavailable } from './file-storage.js';

/** Statuses that say "not now". */
const TRANSIENT_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);
/** Faults of the way there that pass. */
const TRANSIENT_FAULTS = new Set(['unreachable', 'timeout', 'malformed', 'unresolved']);

/** True for an answer that another try may change. */
export const isTransientStatus = (status: number): boolean => TRANSIENT_STATUSES.has(status);

/** Turns what the outbound client threw into a failure that passes, or one that does not. */
export const asRequestFailure = (error: unknown): Error => {
  if (error instanceof OutboundError && TRANSIENT_FAULTS.has(error.fault)) return new TransientError(error.message, 0, { cause: error });
  if (error instanceof OutboundError) return new StorageUnavailable(error.message, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
};

/** Error for a reader of one file: `unavailable` when the storage cannot be reached. */
export const asUnavailable = (error: unknown): Error => {
  if (error instanceof Rejection) return error;
  if (error instanceof StorageUnavailable || error instanceof TransientError)
    return new Rejection('unavailable', `the place of this file cannot be asked: ${error.message}`, undefined, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
};

/** Error for listings and checks: {@link StorageUnavailable} when the storage cannot be reached. */
export const asUnusable = (error: unknown): Error => {
  if (error instanceof StorageUnavailable) return error;
  if (error instanceof TransientError) return new StorageUnavailable(error.message, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
};
