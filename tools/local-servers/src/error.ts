/** A local server could not be started, stopped or found. The message says what to do about it. */
export class LocalServerError extends Error {
  override readonly name = 'LocalServerError';
}
