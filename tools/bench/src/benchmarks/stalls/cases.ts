import { managedLists } from './managed-lists.js';
import { compat, form, json, manage, multipart, native, numbered } from './requests.js';
import type { StallCase, StallWorld } from './stall-case.js';

const MEGABYTE = 1_000_000;

/** From anybody, before a credential is looked at. */
const withoutLogin: readonly StallCase[] = [
  {
    what: 'a form of 270,000 names, native',
    request: () => form('/server/json.server.php', numbered(270_000, (n) => `${n.toString(36)}=1`).join('&')),
  },
  {
    what: 'a form of 140,000 names, compatibility',
    request: () => form('/rest/ping.view', numbered(140_000, (n) => `${n.toString(36)}=1`).join('&')),
  },
  { what: 'a form of a megabyte of separators', request: () => form('/server/xml.server.php', '&'.repeat(MEGABYTE)) },
  {
    what: 'a form of 50,000 values of one name',
    request: () => form('/rest/ping.view', `f=json&${numbered(49_000, (n) => `id=${n}`).join('&')}`),
  },
  { what: 'a megabyte of escapes', request: () => form('/server/json.server.php', `auth=${'%zz%41%ff'.repeat(110_000)}`) },
  {
    what: 'JSON of 180,000 names',
    request: () => json('/server/json.server.php', `{${numbered(80_000, (n) => `"${n.toString(36)}":1`).join()}}`),
  },
  { what: 'JSON of 5,000 levels', request: () => json('/rest/8/json/songs', `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`) },
  { what: 'a form on the account page', request: () => form('/account/login', numbered(140_000, (n) => `${n.toString(36)}=1`).join('&')) },
  {
    what: 'a multipart form of 200 fields',
    request: () =>
      multipart(
        '/server/json.server.php',
        numbered(200, (n) => `f${n}`).map((name) => [name, 'x'.repeat(5000)]),
      ),
  },
  {
    what: 'a multipart field of JSON in JSON',
    request: () => multipart('/rest/ping.view', [['a', `${'['.repeat(120_000)}${']'.repeat(120_000)}`, 'application/json']]),
  },
  { what: 'a query of many names', request: () => ({ path: `/rest/ping.view?${numbered(2500, (n) => n.toString(36)).join('&')}` }) },
];

/** Long values of parameters that are taken apart, from any account. */
const longValues: readonly StallCase[] = [
  { what: 'cond of a megabyte of separators', request: (world) => native(world, 'browse', { cond: ';'.repeat(MEGABYTE / 3) }) },
  { what: 'include of a megabyte of separators', request: (world) => native(world, 'albums', { include: ','.repeat(MEGABYTE / 3) }) },
  { what: 'filter of a megabyte', request: (world) => native(world, 'songs', { filter: 'a%'.repeat(MEGABYTE / 4) }) },
  { what: 'a search for a megabyte of words', request: (world) => compat(world, 'search3', { query: 'ab '.repeat(MEGABYTE / 4) }) },
  {
    what: 'a rule of 100,000 alternatives',
    request: (world) =>
      native(world, 'advanced_search', { type: 'song', rule_1: 'title', rule_1_operator: 0, rule_1_input: 'a|'.repeat(100_000) }),
  },
  {
    what: 'a hundred rules of wild cards',
    request: (world) =>
      native(world, 'advanced_search', {
        type: 'song',
        limit: 10,
        ...Object.fromEntries(
          numbered(100, String).flatMap((n) => [
            [`rule_${n}`, 'title'],
            [`rule_${n}_operator`, 0],
            [`rule_${n}_input`, '%a%b%c%d%e%f'.repeat(8)],
          ]),
        ),
      }),
  },
];

/** Regular expressions, from any account. */
const expressions: readonly StallCase[] = [
  ['counts in counts', '((((a{1,200}){1,200}){1,200}){1,200})'],
  ['a long alternation', `(${numbered(2000, (n) => `a${n}`).join('|')})+`],
  ['stars in stars', '((a*)*)*b'],
].map(([name, pattern]) => ({
  what: `regular expression: ${name}`,
  request: (world) =>
    native(world, 'advanced_search', { type: 'song', rule_1: 'title', rule_1_operator: 8, rule_1_input: pattern ?? '', limit: 10 }),
}));

/** Answers that are as long as the library. */
const longAnswers: readonly StallCase[] = [
  { what: 'all songs, native JSON', request: (world) => native(world, 'songs', { limit: 'none' }) },
  { what: 'all songs, native XML', request: (world) => native(world, 'songs', { limit: 'none' }, 'xml') },
  { what: 'all artists', request: (world) => native(world, 'artists', { limit: 'none' }) },
  { what: 'getArtists', request: (world) => compat(world, 'getArtists') },
  { what: 'getIndexes', request: (world) => compat(world, 'getIndexes') },
  {
    what: 'search3 for everything',
    request: (world) => compat(world, 'search3', { query: '', songCount: 100_000, albumCount: 100_000, artistCount: 100_000 }),
  },
  { what: 'getAlbumList2, its largest page', request: (world) => compat(world, 'getAlbumList2', { type: 'newest', size: 500 }) },
];

const MANY_SONGS = 49_000;

/** Song ids as a client repeats them in a form. */
const manySongs = ({ songs }: StallWorld): (readonly [string, string])[] =>
  numbered(MANY_SONGS, (n) => `so-${1 + (n % songs)}`).map((id) => ['songId', id] as const);

const playlistId = (answer: string): string => /"id"\s*:\s*"([^"]+)"/.exec(answer)?.[1] ?? '';

/** Long lists of people's own. */
const longLists: readonly StallCase[] = [
  { what: 'createPlaylist of 49,000 songs', request: (world) => compat(world, 'createPlaylist', { name: 'long' }, manySongs(world)) },
  {
    what: 'getPlaylist of 49,000 songs',
    request: async (world) => {
      const made = await world.ask(compat(world, 'createPlaylist', { name: 'longest' }, manySongs(world)));
      return compat(world, 'getPlaylist', { id: playlistId(made) });
    },
  },
];

const MEBIBYTE = 1024 ** 2;

/** The management API: its longest lists, its largest bodies, and bodies that are none. */
const managed: readonly StallCase[] = [
  ...managedLists.map(({ name, path }): StallCase => ({
    what: `${name}, its largest page`,
    request: (world) => manage(world, `${path}?limit=500`),
  })),
  {
    what: 'a picture of 16 MiB',
    request: (world) => manage(world, '/accounts/1', JSON.stringify({ avatar: 'AAAA'.repeat(4 * MEBIBYTE) }), 'PATCH'),
  },
  {
    what: 'a playlist file of 3 MiB',
    request: (world) => {
      const content = Buffer.from('/nowhere/song.mp3\n'.repeat((3 * MEBIBYTE) / 18)).toString('base64');
      return manage(world, '/playlists/imports', JSON.stringify({ fileName: 'long.m3u', content }));
    },
  },
  { what: 'management JSON of 16,000 levels', request: (world) => manage(world, '/scans', `${'['.repeat(16_000)}${']'.repeat(16_000)}`) },
  {
    what: 'a body of unknown fields',
    request: (world) => manage(world, '/scans', `{${numbered(5000, (n) => `"${n.toString(36)}":1`).join()}}`),
  },
];

/** Everything that is measured; each row is one request, measured alone. */
export const stallCases: readonly StallCase[] = [...withoutLogin, ...longValues, ...expressions, ...longAnswers, ...longLists, ...managed];
