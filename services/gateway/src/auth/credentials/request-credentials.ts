import { given } from '@continuo/contracts';
import type { AuthRequest, Geo, RequestParams } from '../auth.js';

const MAX_TEXT = 4096;

/** A parameter as text, the last of several; undefined when it is missing, empty, or longer than anything of use here. */
export const textParam = (params: RequestParams, name: string): string | undefined => {
  const sent = params[name];
  // Clients add their token to every call, also to those that name it as a parameter of their own.
  const value: unknown = Array.isArray(sent) ? sent.at(-1) : sent;
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' && text.length <= MAX_TEXT ? text : undefined;
};

/** A header as text; undefined when it is missing or empty. */
export const headerText = ({ headers }: Pick<AuthRequest, 'headers'>, name: string): string | undefined => {
  const value = headers[name];
  const text = (typeof value === 'string' ? value : value?.[0])?.trim();
  return text === undefined || text === '' || text.length > MAX_TEXT ? undefined : text;
};

const schemeToken = (request: AuthRequest, scheme: string): string | undefined => {
  const header = headerText(request, 'authorization');
  const match = header === undefined ? undefined : /^(?<scheme>[A-Za-z]+) +(?<token>\S+)$/.exec(header);
  return match?.groups?.['scheme']?.toLowerCase() === scheme ? match.groups['token'] : undefined;
};

/** The token of `Authorization: Bearer`; other schemes, such as a proxy's own Basic, are not ours to judge. */
export const bearerToken = (request: AuthRequest): string | undefined => schemeToken(request, 'bearer');

/** The token that a header names: `Authorization: Bearer`, then `Authorization: ApiKey`, then `auth`. */
export const headerToken = (request: AuthRequest): string | undefined =>
  bearerToken(request) ?? schemeToken(request, 'apikey') ?? headerText(request, 'auth');

const MAX_CLIENT = 255;

/** The client's name for itself in the parameters; undefined when it gives none. */
export const clientParam = (request: AuthRequest, param = 'client'): string | undefined =>
  textParam(request.params, param)?.slice(0, MAX_CLIENT);

/** The user agent, empty when there is none. */
export const userAgent = (request: AuthRequest): string => (headerText(request, 'user-agent') ?? '').slice(0, MAX_CLIENT);

const coordinate = (params: RequestParams, name: string, limit: number): number | undefined => {
  const value = Number(textParam(params, name) ?? Number.NaN);
  return Math.abs(value) <= limit ? value : undefined;
};

/** Reads the location that the client reports; undefined when it is not usable. */
export const geoOf = ({ params }: AuthRequest): Geo | undefined => {
  const latitude = coordinate(params, 'geo_latitude', 90);
  const longitude = coordinate(params, 'geo_longitude', 180);
  const name = textParam(params, 'geo_name')?.slice(0, 255);
  const geo = given({ latitude, longitude, name });
  return Object.keys(geo).length > 0 ? geo : undefined;
};
