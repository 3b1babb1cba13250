import { Rejection } from '@continuo/contracts';
import { OutboundError } from '../../outbound/outbound-client.js';
import { Passing } from './patience.js';
import { PlaceUnusable } from './file-place.js';

/** Statuses that say "not now". */
const PASSING_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);
/** Faults of the way there that pass. */
const PASSING_FAULTS = new Set(['unreachable', 'timeout', 'malformed', 'unresolved']);

/** True for an answer that another try may change. */
export const isPassingStatus = (status: number): boolean => PASSING_STATUSES.has(status);

/** Turns what the outbound client threw into a failure that passes, or one that does not. */
export const asRequestFailure = (error: unknown): Error => {
  if (error instanceof OutboundError && PASSING_FAULTS.has(error.fault)) return new Passing(error.message, 0, { cause: error });
  if (error instanceof OutboundError) return new PlaceUnusable(error.message, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
};

/** What readers of single files are told when the place cannot be asked. */
export const asUnavailable = (error: unknown): Error => {
  if (error instanceof Rejection) return error;
  if (error instanceof PlaceUnusable || error instanceof Passing)
    return new Rejection('unavailable', `the place of this file cannot be asked: ${error.message}`, undefined, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
};

/** What listings and checks are told. */
export const asUnusable = (error: unknown): Error => {
  if (error instanceof PlaceUnusable) return error;
  if (error instanceof Passing) return new PlaceUnusable(error.message, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
};
