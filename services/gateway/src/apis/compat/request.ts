import { textParam, textParams } from '../../server/requests/parameters.js';
import type { RequestParams } from '../../auth/index.js';
import type { CompatFormat } from './documents.js';
import { CompatError } from './errors.js';
import type { ParameterBag } from './parameters.js';

/** Output format of a call. */
export interface ResponseForm {
  readonly format: CompatFormat;
  /** JSONP callback. */
  readonly callback?: string;
}

/** A name, or names joined by dots: nothing that could run as a script. */
const IDENTIFIER = /^[A-Za-z_$][\w$]{0,63}(?:\.[A-Za-z_$][\w$]{0,63}){0,7}$/;

/** Output format: XML by default; JSONP without a valid callback counts as JSON and is rejected later. */
export const responseFormOf = (params: RequestParams): ResponseForm => {
  const format = textParam(params, 'f')?.trim().toLowerCase();
  if (format !== 'json' && format !== 'jsonp') return { format: 'xml' };
  const callback = textParam(params, 'callback') ?? '';
  return format === 'jsonp' && IDENTIFIER.test(callback) ? { format: 'json', callback } : { format: 'json' };
};

/**
 * Rejects an invalid JSONP callback.
 * @throws CompatError 10
 */
export const checkCallback = (params: RequestParams, form: ResponseForm): void => {
  if (textParam(params, 'f')?.trim().toLowerCase() === 'jsonp' && form.callback === undefined) {
    throw new CompatError(10, 'Parameter callback must be the name of a function');
  }
};

/** All parameters with their values in order. */
export const bagOf = (params: RequestParams): ParameterBag => new Map(Object.keys(params).map((name) => [name, textParams(params, name)]));

const MAJOR = 1;
const MINOR = 16;
/** Some clients send a letter before the version: `v1.16.1`. */
const VERSION = /^\s*v?(\d{1,4})(?:\.(\d{1,4}))?/i;

/** Clients, by the name they send as `c`, that send their own version in place of the protocol's. */
const SEND_OWN_VERSION = new Set(['stmp', 'stmps']);

/**
 * Checks client name and protocol version: the version must not be newer than the server's; older ones of the same major version are
 * accepted.
 * @throws CompatError 10, 20 or 30
 */
export const checkClient = (params: RequestParams): void => {
  const version = textParam(params, 'v') ?? '';
  if (version === '') throw new CompatError(10, 'Required parameter is missing: v');
  const client = textParam(params, 'c');
  if (!client) throw new CompatError(10, 'Required parameter is missing: c');
  if (SEND_OWN_VERSION.has(client)) return;
  const [, major, minor = '0'] = VERSION.exec(version) ?? [];
  if (major === undefined) throw new CompatError(10, 'Parameter v is not a version');
  if (Number(major) < MAJOR) throw new CompatError(20, 'This client speaks an older protocol and must be upgraded');
  if (Number(major) > MAJOR || Number(minor) > MINOR)
    throw new CompatError(30, 'This client speaks a newer protocol than the server, which must be upgraded');
};
