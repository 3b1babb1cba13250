import { Rejection } from '@continuo/contracts';
import { errorTableOf } from '../../server/error-table.js';

/** Error codes of the protocol. 60 (trial over) is never sent. */
export type CompatErrorCode = 0 | 10 | 20 | 30 | 40 | 41 | 42 | 43 | 44 | 50 | 70;

/** An error of the protocol that has no error code of our own. */
export class CompatError extends Error {
  override readonly name = 'CompatError';
  constructor(
    readonly code: CompatErrorCode,
    message: string,
    readonly helpUrl?: string,
  ) {
    super(message);
  }
}

/** Our error codes in the protocol's numbers. */
export const compatErrors = errorTableOf<CompatErrorCode>(70, {
  'access.denied': 50,
  'access.level': 50,
  'access.address': 50,
  'access.scope': 50,
  'auth.failed': 40,
  'auth.expired': 40,
  'auth.throttled': 0,
  'input.missing': 10,
  'input.invalid': 10,
  'input.too-large': 0,
  'feature.disabled': 0,
  'catalog.path-taken': 0,
  'catalog.path-unusable': 0,
  'catalog.path-outside': 0,
  'scan.running': 0,
  'user.name-taken': 0,
  'user.email-taken': 0,
  'user.identity-taken': 0,
  'user.last-administrator': 50,
  'account.full': 0,
  'collection.full': 0,
  'collection.other-kind': 0,
  'podcast.feed-taken': 0,
  'podcast.feed-unusable': 0,
  'podcast.wrong-catalog': 0,
  'playlist-folder.name-taken': 0,
  'playlist-folder.not-empty': 0,
  'playlist-folder.below-itself': 0,
  'playlist.full': 0,
  'democratic.cooling': 0,
  'preference.name-taken': 0,
  'preference.built-in': 0,
  'media.failed': 0,
  'upload.refused': 0,
  'storage.full': 0,
  'media.range': 0,
  'transcode.busy': 0,
  'transcode.failed': 0,
  'player.unreachable': 0,
  conflict: 0,
  'precondition.failed': 0,
  unavailable: 0,
  internal: 0,
});

/** Converts a failure to an error of the protocol. Unexpected ones show no detail: the log has it under the correlation id. */
export const toCompatError = (error: unknown): CompatError => {
  if (error instanceof CompatError) return error;
  if (error instanceof Rejection) return new CompatError(compatErrors[error.code], error.message);
  return new CompatError(0, 'An unexpected failure; the log has the details');
};
