/** Codes of the driver and Postgres while the database is down, starting, full or too slow; the next try may succeed. */
const UNAVAILABLE_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  // A service of Kubernetes without a pod, and a name that is not there or cannot be asked for.
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // A login that is being replaced: a new password there, and the old one in the settings here.
  '28P01',
  '28000',
  '57P01',
  '57P02',
  '57P03',
  '57014',
  // A replica that has to apply a change to rows which a reader holds.
  '40001',
  '53300',
  '08006',
  '08001',
  // All that PgBouncer says of a server that has gone.
  '08P01',
]);
const UNAVAILABLE_MESSAGE =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed and is not queryable)/;

/** True for an error that says that Postgres cannot be reached or cannot answer at the moment, not that the statement is wrong. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return (typeof code === 'string' && UNAVAILABLE_CODES.has(code)) || (typeof message === 'string' && UNAVAILABLE_MESSAGE.test(message));
};

/** A table, a schema, or the whole database is not there. */
const MISSING_CODES: ReadonlySet<unknown> = new Set(['42P01', '3F000', '3D000']);

/** True while tables are not there: the database was emptied, or an empty one has taken the place of one that is lost; they come with the next start. */
export const areTablesMissing = (error: unknown): boolean => MISSING_CODES.has(((error ?? {}) as { code?: unknown }).code);
