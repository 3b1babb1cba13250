import { nativeClient, type NativeTypes } from '@continuo/client';
import { base, session, SignedOutError } from './session.js';

export type Schemas = NativeTypes['schemas'];
export type Song = Schemas['Song'];
export type Album = Schemas['Album'];
export type Artist = Schemas['Artist'];
export type Playlist = Schemas['Playlist'];
export type Share = Schemas['Share'];
export type User = Schemas['User'];

/** Client of the native API with the session of this page. */
export const api = nativeClient({ url: base, authorization: session.authorization });

/** The server refused a request, or failed. */
export class ApiError extends Error {
  /** @param code code of the native API, such as `4704` for what does not exist */
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

/** Bad gateway, service unavailable, gateway timeout. */
const PROXY_FAILURES = new Set(['502', '503', '504']);

/** True for errors that say that the server does not answer. */
export const isAway = (error: unknown): boolean =>
  error instanceof ApiError ? PROXY_FAILURES.has(error.code) : !(error instanceof SignedOutError);

/** Code for a session that has ended. */
const SESSION_ENDED = '4701';

/** True for the first error after the end of a session; the next request asks the cookie for another token, and says so when there is none. */
export const isSessionOver = (error: unknown): boolean => error instanceof ApiError && error.code === SESSION_ENDED;

interface Answer {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}
type Content<A extends Answer> = Exclude<NonNullable<A['data']>, Schemas['Error']>;

const isError = (data: unknown): data is Schemas['Error'] => typeof data === 'object' && data !== null && 'error' in data;

/** Returns what the server answered. @throws ApiError, SignedOutError when the session has ended */
export const content = async <A extends Answer>(answer: Promise<A>): Promise<Content<A>> => {
  const { data, error, response } = await answer;
  const refused = isError(data) ? data : isError(error) ? error : undefined;
  if (refused) {
    const { errorCode, errorMessage } = refused.error;
    const refusal = new ApiError(errorMessage, errorCode);
    if (isSessionOver(refusal)) session.forget();
    throw refusal;
  }
  if (data === undefined) throw new ApiError(`The server answered ${response.status}.`, String(response.status));
  return data as Content<A>;
};

/** A part of a list and the length of the whole list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** The part of a list in an answer of the server, under its name there. */
export const pageOf = <K extends string, T>(
  name: K,
  answer: Readonly<Record<K, readonly T[]>> & { readonly total_count: number },
): Page<T> => ({
  items: answer[name],
  total: answer.total_count,
});

/** Codes of what is turned off, does not exist, cannot be asked, or is not allowed. */
const REFUSALS = new Set(['4703', '4704', '4710', '4742']);

/** The answer; undefined when the server refuses it to this account. @throws when it cannot be asked now */
export const unlessRefused = async <T>(asking: Promise<T>): Promise<T | undefined> => {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof ApiError && REFUSALS.has(error.code)) return undefined;
    throw error;
  }
};
