import { Rejection } from '@continuo/contracts';
import type { RequestParams } from '../../auth/index.js';
import { boundForm, boundJson, isTooLong, MAX_NAMES, tooLong, tooManyNames } from './request-bounds.js';

/** A set of parameters without inherited keys, so that no name of a client's choosing can reach a prototype. */
type MutableParams = Record<string, unknown>;

/** Characters of a parameter's name in an error message. */
const MAX_NAME_SHOWN = 100;

const emptyParams = (): MutableParams => Object.create(null) as MutableParams;

/** `name[]` is how PHP-minded clients write lists. */
const keyOf = (name: string): string => (name.endsWith('[]') ? name.slice(0, -2) : name);

/** Adds a value; true when its name is new. */
const put = (params: MutableParams, name: string, value: string): boolean => {
  const key = keyOf(name);
  const known = params[key];
  if (known === undefined) params[key] = name === key ? value : [value];
  else if (Array.isArray(known)) known.push(value);
  else params[key] = [known, value];
  return known === undefined;
};

/**
 * Parameters from pairs in order; a name that comes again makes a list of its values.
 * @throws Rejection `input.too-large` for more different names than any request has
 */
export const paramsOfPairs = (pairs: Iterable<readonly [string, string]>): RequestParams => {
  const params = emptyParams();
  let names = 0;
  for (const [name, value] of pairs) {
    if (put(params, name, value)) names += 1;
    if (names > MAX_NAMES) throw tooManyNames();
  }
  return params;
};

/**
 * Parameters of a query string or a form body. Broken escapes and bytes that are no UTF-8 become U+FFFD instead of an error.
 * @throws Rejection `input.too-large` for more names or values than any request has
 */
export const parseForm = (text: string): RequestParams => {
  boundForm(text);
  return paramsOfPairs(new URLSearchParams(text));
};

/** One parameter of a query string, its last value, for those who look at an address before it is read; it never throws. */
export const peekParam = (query: string, wanted: string): string | undefined => {
  let last: string | undefined;
  for (const [name, value] of new URLSearchParams(query)) if (keyOf(name) === wanted) last = value;
  return last;
};

/**
 * Parameters of a JSON body: only an object has any; everything else, also text that is no JSON, counts as empty.
 * @throws Rejection `input.too-large` or `input.invalid` for more names, values or levels than any request has
 */
export const parseJsonBody = (text: string): RequestParams => {
  boundJson(text);
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

/** @throws Rejection `input.invalid` or `input.too-large` with the parameter's name as subject */
const checkText = (text: string, name: string): void => {
  if (text.includes('\0')) throw new Rejection('input.invalid', 'a parameter holds a NUL character', name.replaceAll('\0', ''));
  if (isTooLong(text)) throw tooLong(name);
};

const checkValue = (value: unknown, name: string): void => {
  if (typeof value === 'string') checkText(value, name);
  else if (Array.isArray(value)) for (const one of value) checkValue(one, name);
};

/**
 * Refuses what no parameter may hold: the NUL character, which neither database nor file system takes, and texts that are longer than any request needs.
 * @throws Rejection `input.invalid` or `input.too-large` with the parameter's name as subject
 */
export const checkParams = (params: RequestParams): RequestParams => {
  for (const [name, value] of Object.entries(params)) {
    checkText(name, name.slice(0, MAX_NAME_SHOWN));
    checkValue(value, name.slice(0, MAX_NAME_SHOWN));
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
  if (Array.isArray(value)) return value.flatMap((one: unknown) => textParam({ one }, 'one') ?? []);
  const text = textParam(params, name);
  return text === undefined ? [] : [text];
};
