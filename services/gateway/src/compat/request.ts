import { textParam, textParams } from '../http/parameters.js';
import type { RequestParams } from '../auth/index.js';
import type { CompatFormat } from './documents.js';
import { CompatError } from './errors.js';
import type { ParameterBag } from './parameters.js';

/** How the answer to a call is to be written. */
export interface ResponseForm {
  readonly format: CompatFormat;
  /** Name of the function that a JSONP answer calls. */
  readonly callback?: string;
}

/** A name, or names joined by dots: nothing that could run as a script of its own (threats.md row 20). */
const IDENTIFIER = /^[A-Za-z_$][\w$]{0,63}(?:\.[A-Za-z_$][\w$]{0,63}){0,7}$/;

/** Reads the wanted form: XML unless JSON is asked for; JSONP without a usable callback counts as JSON and is refused later. */
export const responseFormOf = (params: RequestParams): ResponseForm => {
  const format = textParam(params, 'f')?.trim().toLowerCase();
  if (format !== 'json' && format !== 'jsonp') return { format: 'xml' };
  const callback = textParam(params, 'callback') ?? '';
  return format === 'jsonp' && IDENTIFIER.test(callback) ? { format: 'json', callback } : { format: 'json' };
};

/**
 * Refuses a JSONP call whose callback cannot be called.
 * @throws CompatError 10
 */
export const checkCallback = (params: RequestParams, form: ResponseForm): void => {
  if (textParam(params, 'f')?.trim().toLowerCase() === 'jsonp' && form.callback === undefined) {
    throw new CompatError(10, 'Parameter callback must be the name of a function');
  }
};

/** Every parameter with its values in their order. */
export const bagOf = (params: RequestParams): ParameterBag => new Map(Object.keys(params).map((name) => [name, textParams(params, name)]));

const MAJOR = 1;
const MINOR = 16;
const VERSION = /^\s*(\d{1,4})(?:\.(\d{1,4}))?/;

/**
 * Checks what every call must say of its client: a name, and a version of the protocol that is not newer than the server's. Older versions of the same
 * major number pass, and nothing depends on them.
 * @throws CompatError 10, 20 or 30
 */
export const checkClient = (params: RequestParams): void => {
  const version = textParam(params, 'v') ?? '';
  if (version === '') throw new CompatError(10, 'Required parameter is missing: v');
  if (!textParam(params, 'c')) throw new CompatError(10, 'Required parameter is missing: c');
  const [, major, minor = '0'] = VERSION.exec(version) ?? [];
  if (major === undefined) throw new CompatError(10, 'Parameter v is not a version');
  if (Number(major) < MAJOR) throw new CompatError(20, 'This client speaks an older protocol and must be upgraded');
  if (Number(major) > MAJOR || Number(minor) > MINOR)
    throw new CompatError(30, 'This client speaks a newer protocol than the server, which must be upgraded');
};
