import { dirname } from 'node:path';
import { Rejection } from '@continuo/contracts';

/** Error codes of file systems: no room, and quota exceeded. */
const FULL_DISK: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);
/** `disk_full` of Postgres (appendix A of its handbook). */
const FULL_DATABASE = '53100';
/** JetStream: no resources for the stream, storage beyond the limit of the account or the server. */
const FULL_LOG_CODES: ReadonlySet<unknown> = new Set([10_023, 10_047]);
const FULL_LOG_MESSAGE = /insufficient (?:storage )?resources|resource limits exceeded|no space left on device/i;
const MAX_CAUSES = 8;

/** Said to people while the event log has no room. */
export const LOG_HAS_NO_ROOM = 'the event log cannot be written: no space left';

/** The refusal of an append for want of room; `reason` is the server's word for it. */
export const logIsFull = (reason: string): Rejection =>
  new Rejection('unavailable', LOG_HAS_NO_ROOM, undefined, { cause: new Error(reason) });

/** True for what JetStream answers, by its number or its words, when it cannot store any more. */
export const isFullLog = (errCode: number | undefined, description: string): boolean =>
  FULL_LOG_CODES.has(errCode) || FULL_LOG_MESSAGE.test(description);

const sentenceOf = (error: object): string | undefined => {
  if (error instanceof Rejection) return error.code === 'storage.full' || error.message === LOG_HAS_NO_ROOM ? error.message : undefined;
  const { code, path, dest, message } = error as { code?: unknown; path?: unknown; dest?: unknown; message?: unknown };
  if (code === FULL_DATABASE) return 'the disk of the database is full';
  if (FULL_DISK.has(code)) {
    const place = [dest, path].find((one): one is string => typeof one === 'string');
    return place === undefined ? "the disk of the server's own files is full" : `the disk of ${dirname(place)} is full`;
  }
  const errCode = typeof code === 'number' ? code : undefined;
  return typeof message === 'string' && isFullLog(errCode, message) ? LOG_HAS_NO_ROOM : undefined;
};

/** Says which storage has no room left when that is what an error, or what caused it, comes from; undefined for everything else. */
export const fullStorage = (error: unknown): string | undefined => {
  let at = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof at === 'object' && at !== null; depth += 1) {
    const sentence = sentenceOf(at);
    if (sentence !== undefined) return sentence;
    at = (at as { cause?: unknown }).cause;
  }
  return undefined;
};
