import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { lastfmSignature } from './lastfm-signature.js';

const md5 = (text: string): string => createHash('md5').update(text, 'utf8').digest('hex');

it('signs names and values in the order of their characters, then the secret, without the format', () => {
  const params = { method: 'auth.getSession', token: 'xxxxxxx', api_key: 'xxxxxxxxxx', format: 'json' };
  expect(lastfmSignature(params, 'ilovecher')).toBe(md5('api_keyxxxxxxxxxxmethodauth.getSessiontokenxxxxxxxilovecher'));
});

it('orders numbers in brackets as characters, and signs what is no ASCII as UTF-8', () => {
  expect(lastfmSignature({ 'artist[1]': 'b', 'artist[10]': 'ü', albumArtist: 'a' }, 's')).toBe(md5('albumArtistaartist[10]üartist[1]bs'));
});
