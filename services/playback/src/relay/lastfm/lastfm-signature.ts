import { createHash } from 'node:crypto';

/** Parameters of a call, by name. */
export type LastfmParams = Readonly<Record<string, string>>;

const byCodeUnit = ([one]: readonly [string, string], [other]: readonly [string, string]): number => (one < other ? -1 : 1);

/**
 * The method signature of Last.fm: MD5 over names and values in the order of the names' characters, then the secret. `format` is no part of it. MD5 is what the
 * protocol asks for; nothing else here relies on it.
 */
export const lastfmSignature = (params: LastfmParams, secret: string): string => {
  const text = Object.entries(params)
    .filter(([name]) => name !== 'format' && name !== 'callback')
    .toSorted(byCodeUnit)
    .map(([name, value]) => name + value)
    .join('');
  return createHash('md5')
    .update(text + secret, 'utf8')
    .digest('hex');
};
