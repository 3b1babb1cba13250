import { z } from 'zod';
import type { IssuedAddress } from '../generate/values.js';
import type { FuzzAccount } from './accounts.js';
import { asker } from './private-things.js';

const addressOf = (surface: IssuedAddress['surface'], url: string): IssuedAddress => {
  const { pathname, searchParams } = new URL(url, 'http://localhost/');
  return { surface, path: pathname, pairs: [...searchParams].map(([name, value]) => ({ name, value })) };
};

const shared = async (url: string, account: FuzzAccount, song: string): Promise<readonly IssuedAddress[]> => {
  const { public_url: page } = z
    .object({ public_url: z.string() })
    .parse(await asker(url, account)('share_create', { filter: song, type: 'song', description: '<b>shared</b>' }));
  const html = await (await fetch(page)).text();
  const links = [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, link = '']) => new URL(link.replaceAll('&amp;', '&'), page).href);
  return [page, ...new Set(links)].filter((link) => link.startsWith(url)).map((link) => addressOf('share', link));
};

const played = async (url: string, account: FuzzAccount, song: string): Promise<readonly IssuedAddress[]> => {
  const { url: stream, art } = z.object({ url: z.string(), art: z.string() }).parse(await asker(url, account)('song', { filter: song }));
  return [addressOf('play', stream), addressOf('picture', art)];
};

const segments = async (url: string, { apiKey }: FuzzAccount, song: string): Promise<readonly IssuedAddress[]> => {
  const headers = { authorization: `Bearer ${apiKey}` };
  const list = await (await fetch(`${url}/rest/hls.m3u8?v=1.16.1&c=fuzz&id=so-${song}&bitRate=128`, { headers })).text();
  const first = list.split('\n').find((line) => line !== '' && !line.startsWith('#'));
  if (first === undefined) return [];
  const address = addressOf('hls', new URL(first, `${url}/rest/`).href);
  return [address, { ...address, path: address.path.replace(/[^/]*$/, '0.ts') }];
};

/** Has an account share and play a song that everybody sees, and answers the addresses that it gets for it. */
export const givenOut = async (url: string, account: FuzzAccount, song: string): Promise<readonly IssuedAddress[]> => [
  ...(await shared(url, account, song)),
  ...(await played(url, account, song)),
  ...(await segments(url, account, song)),
];
