import type { StallRequest, StallWorld } from './stall-case.js';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const BOUNDARY = 'stall';

/** A form as a body. */
export const form = (path: string, body: string): StallRequest => ({ path, type: FORM, body });

/** JSON as a body. */
export const json = (path: string, body: string): StallRequest => ({ path, type: JSON_TYPE, body });

/** A multipart form; each part is name, value and, if it says one, type. */
export const multipart = (path: string, parts: readonly (readonly [name: string, value: string, type?: string])[]): StallRequest => ({
  path,
  type: `multipart/form-data; boundary=${BOUNDARY}`,
  body: `${parts
    .map(
      ([name, value, type]) =>
        `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n${type === undefined ? '' : `content-type: ${type}\r\n`}\r\n${value}\r\n`,
    )
    .join('')}--${BOUNDARY}--\r\n`,
});

type Values = Readonly<Record<string, string | number>>;

const queryOf = (values: Values): URLSearchParams =>
  new URLSearchParams(Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]));

/** A call of the native API; values go into the body, which may be longer than an address. */
export const native = ({ session }: StallWorld, action: string, values: Values = {}, format: 'json' | 'xml' = 'json'): StallRequest =>
  form(`/server/${format}.server.php`, queryOf({ action, auth: session, ...values }).toString());

/** A call of the compatibility API; `repeated` is one parameter that comes many times. */
export const compat = (
  { apiKey }: StallWorld,
  operation: string,
  values: Values = {},
  repeated: readonly (readonly [name: string, value: string])[] = [],
): StallRequest => {
  const query = queryOf({ v: '1.16.1', c: 'bench', f: 'json', apiKey, ...values });
  for (const [name, value] of repeated) query.append(name, value);
  return form(`/rest/${operation}.view`, query.toString());
};

/** A call of the management API by the administrator; with a body a POST, unless it says otherwise. */
export const manage = ({ apiKey }: StallWorld, path: string, body?: string, method?: string): StallRequest => ({
  path: `/manage/v1${path}`,
  bearer: apiKey,
  ...(method === undefined ? {} : { method }),
  ...(body === undefined ? {} : { type: JSON_TYPE, body }),
});

/** So many texts made of a number each. */
export const numbered = (count: number, text: (number: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => text(index + 1));
