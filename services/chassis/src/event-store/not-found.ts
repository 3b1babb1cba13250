/** True for the answer that a stream has no such message. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof Error &&
  ((error as { code?: unknown }).code === 404 || /message not found|no message found|no results/i.test(error.message));
