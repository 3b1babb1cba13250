import { expect, it } from 'vitest';
import { addressFindings } from './address-findings.js';

const plain = { baseUrl: 'https://music.example', publicUrl: null, proxy: 'none', clientAddress: '192.0.2.7' } as const;
const kinds = (connection: Parameters<typeof addressFindings>[0], page: string): string[] =>
  addressFindings(connection, page).map(({ kind }) => kind);

it.each([
  ['is good at an encrypted address of its own', plain, 'https://music.example/', ['good']],
  ['is good below a path that PUBLIC_URL names', { ...plain, publicUrl: 'https://a.example/music/' }, 'https://a.example/music/', ['good']],
  ['needs PUBLIC_URL below a path', plain, 'https://music.example/music/', ['needsPublicUrl']],
  [
    'needs PUBLIC_URL behind a proxy that hides the scheme',
    { ...plain, baseUrl: 'http://music.example' },
    'https://music.example/',
    ['needsPublicUrl'],
  ],
  ['calls itself otherwise', { ...plain, publicUrl: 'https://b.example' }, 'https://music.example/', ['otherPublicUrl']],
  ['does not trust its proxy', { ...plain, proxy: 'ignored' } as const, 'https://music.example/', ['proxyIgnored']],
  ['is open on this machine only', { ...plain, baseUrl: 'http://localhost:8080' }, 'http://localhost:8080/', ['onlyHere']],
  ['is not encrypted', { ...plain, baseUrl: 'http://192.168.1.5:8080' }, 'http://192.168.1.5:8080/', ['notEncrypted']],
])('a server %s', (_name, connection, page, expected) => {
  expect(kinds(connection, page)).toEqual(expected);
});
