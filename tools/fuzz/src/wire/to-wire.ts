import { randomUUID } from 'node:crypto';
import type { FuzzAccount, FuzzAccounts } from '../world/accounts.js';
import type { BrowserSession } from '../world/browsers.js';
import { LAST_ID, type Body, type Pair, type Step } from './step.js';
import { bodyBytes, formText, type WireRequest } from './wire-request.js';

/** Values that turn a step into a request. */
export interface Fill {
  readonly accounts: FuzzAccounts;
  readonly browsers: ReadonlyMap<string, BrowserSession>;
  /** The id that the case saw last. */
  readonly lastId: string;
}

const WRONG: FuzzAccount = { username: 'fuzz-user', password: 'a wrong password', apiKey: 'a-wrong-key-0123456789' };

/** Headers and parameters by which a caller is known, where a step puts them. */
const credentialsOf = (
  { caller, credential, surface }: Step,
  { accounts, browsers }: Fill,
): { readonly headers: Record<string, string>; readonly pairs: readonly Pair[] } => {
  if (caller === 'nobody') return { headers: {}, pairs: [] };
  const { username, password, apiKey } = caller === 'wrong' ? WRONG : accounts.callers[caller];
  const isCompat = surface === 'compat';
  switch (credential) {
    case 'header':
      return { headers: { authorization: `Bearer ${apiKey}` }, pairs: [] };
    case 'parameter':
      return {
        headers: {},
        pairs: [{ name: isCompat ? 'apiKey' : surface === 'play' || surface === 'picture' ? 'ssid' : 'auth', value: apiKey }],
      };
    case 'password':
      return isCompat
        ? {
            headers: {},
            pairs: [
              { name: 'u', value: username },
              { name: 'p', value: password },
            ],
          }
        : { headers: { authorization: `Bearer ${apiKey}` }, pairs: [] };
    case 'cookie': {
      const cookie = browsers.get(caller)?.cookie;
      return { headers: cookie === undefined ? {} : { cookie }, pairs: [] };
    }
  }
};

const filled = (pairs: readonly Pair[], { browsers, lastId }: Fill, caller: string): readonly Pair[] =>
  pairs.map(({ value, ...rest }) => ({
    ...rest,
    value: value.replaceAll(LAST_ID, lastId).replaceAll('@mark@', browsers.get(caller)?.mark ?? ''),
  }));

const filledBody = (body: Body, fill: Fill, caller: string): Body => {
  if ('pairs' in body) return { ...body, pairs: filled(body.pairs, fill, caller) };
  return body.kind === 'json' ? { ...body, text: body.text.replaceAll(LAST_ID, fill.lastId) } : body;
};

const NOT_IN_HEADERS = /[^\t\x20-\x7e\x80-\xff]/g;

/** The request of a step. */
export const toWire = (step: Step, fill: Fill): WireRequest => {
  const credentials = credentialsOf(step, fill);
  const query = formText([...filled(step.query, fill, step.caller), ...credentials.pairs]);
  const body = bodyBytes(filledBody(step.body, fill, step.caller));
  const headers: Record<string, string> = { 'x-correlation-id': randomUUID(), ...credentials.headers };
  if (body) headers['content-type'] = body.type;
  for (const [name, value] of step.headers) headers[name] = value.replaceAll(NOT_IN_HEADERS, '');
  const path = step.path.replaceAll(LAST_ID, fill.lastId).replaceAll(/[^\x21-\x7e]/g, encodeURIComponent);
  return {
    method: step.method,
    target: query === '' ? path : `${path}?${query.replaceAll(/[^\x21-\x7e]/g, '')}`,
    headers,
    body: body?.bytes,
  };
};
