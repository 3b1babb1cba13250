import type { Body, Pair } from './step.js';

/** A request as it is sent. */
export interface WireRequest {
  readonly method: string;
  /** Path and query, escaped. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

const escaped = (text: string): string => encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+');

/** Parameters as a query or a form. */
export const formText = (pairs: readonly Pair[]): string =>
  pairs.map(({ name, value, raw }) => `${escaped(name)}=${raw ? value : escaped(value)}`).join('&');

const BOUNDARY = 'continuo-fuzz-boundary';
const quoted = (text: string): string => text.replaceAll(/["\r\n]/g, '_');

const multipart = ({ pairs, file }: Extract<Body, { kind: 'multipart' }>): Buffer => {
  const fields = pairs.map(
    ({ name, value }) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${quoted(name)}"\r\n\r\n${value.toWellFormed()}\r\n`,
  );
  const parts: Buffer[] = [Buffer.from(fields.join(''))];
  if (file) {
    const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="upl"; filename="${quoted(file.name)}"\r\n\r\n`;
    parts.push(Buffer.from(head), Buffer.from(file.base64, 'base64'), Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
};

/** A body and its type; undefined for none. */
export const bodyBytes = (body: Body): { readonly type: string; readonly bytes: Buffer } | undefined => {
  switch (body.kind) {
    case 'none':
      return undefined;
    case 'form':
      return { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(formText(body.pairs)) };
    case 'json':
      return { type: 'application/json', bytes: Buffer.from(body.text.toWellFormed()) };
    case 'multipart':
      return { type: `multipart/form-data; boundary=${BOUNDARY}`, bytes: multipart(body) };
    case 'bytes':
      return { type: body.type, bytes: Buffer.from(body.base64, 'base64') };
  }
};

const shellText = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The same request for a person at a terminal. @param url of the server, without a trailing slash */
export const curlLine = (url: string, { method, target, headers, body }: WireRequest): string => {
  const heads = Object.entries(headers).flatMap(([name, value]) =>
    name === 'x-correlation-id' ? [] : ['-H', shellText(`${name}: ${value}`)],
  );
  const verb = method === 'HEAD' ? ['-I'] : ['-X', method];
  const data =
    body === undefined ? [] : ['--data-binary', body.length > 4000 ? `<${body.length} bytes>` : `$${shellText(body.toString('latin1'))}`];
  return ['curl', '-sS', '-i', '-g', ...verb, ...heads, ...data, shellText(url + target)].join(' ');
};
