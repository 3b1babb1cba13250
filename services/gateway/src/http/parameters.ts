import { Rejection } from '@continuo/contracts';
import type { RequestParams } from '../auth/index.js';

/** A set of parameters without inherited keys, so that no name of a client's choosing can reach a prototype. */
type MutableParams = Record<string, unknown>;

const emptyParams = (): MutableParams => Object.create(null) as MutableParams;

const put = (params: MutableParams, name: string, value: string): void => {
  // `name[]` is how PHP-minded clients write lists.
  const key = name.endsWith('[]') ? name.slice(0, -2) : name;
  const known = params[key];
  if (known === undefined) params[key] = name === key ? value : [value];
  else if (Array.isArray(known)) known.push(value);
  else params[key] = [known, value];
};

/** Parameters from pairs in order; a name that comes again makes a list of its values, however many: before anybody is known, a form may hold a hundred thousand. */
export const paramsOfPairs = (pairs: Iterable<readonly [string, string]>): RequestParams => {
  const params = emptyParams();
  for (const [name, value] of pairs) put(params, name, value);
  return params;
};

/** Parameters of a query string or a form body. Broken escapes and bytes that are no UTF-8 become U+FFFD instead of an error. */
export const parseForm = (text: string): RequestParams => paramsOfPairs(new URLSearchParams(text));

/** Parameters of a JSON body: only an object has any; everything else, also text that is no JSON, counts as empty (native README section 1). */
export const parseJsonBody = (text: string): RequestParams => {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return emptyParams();
  }
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return emptyParams();
  return Object.assign(emptyParams(), body);
};

/** Merges sets of parameters; the later set wins a name as a whole. */
export const mergeParams = (...sets: readonly (RequestParams | undefined)[]): RequestParams =>
  Object.assign(emptyParams(), ...sets) as RequestParams;

const holdsNul = (value: unknown): boolean =>
  typeof value === 'string' ? value.includes('\0') : Array.isArray(value) ? value.some(holdsNul) : false;

/**
 * Refuses what no parameter may hold: the NUL character, which neither database nor file system takes.
 * @throws Rejection `input.invalid` with the parameter's name as subject
 */
export const checkParams = (params: RequestParams): RequestParams => {
  for (const [name, value] of Object.entries(params)) {
    if (name.includes('\0') || holdsNul(value))
      throw new Rejection('input.invalid', 'a parameter holds a NUL character', name.replaceAll('\0', ''));
  }
  return params;
};

/** The text of a parameter: numbers and booleans of a JSON body as text, the last of several values. Undefined when it was not sent. */
export const textParam = (params: RequestParams, name: string): string | undefined => {
  const value = params[name];
  const one: unknown = Array.isArray(value) ? value.at(-1) : value;
  if (typeof one === 'string') return one.isWellFormed() ? one : one.toWellFormed();
  if (typeof one === 'boolean') return one ? '1' : '0';
  return typeof one === 'number' ? String(one) : undefined;
};

/** Every value of a parameter, as text, in order. */
export const textParams = (params: RequestParams, name: string): string[] => {
  const value = params[name];
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.flatMap((one) => textParam({ one }, 'one') ?? []);
};
