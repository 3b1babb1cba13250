import type { Pair, SurfaceName } from '../wire/step.js';
import type { Known } from './values.js';

/** Addresses of a surface that is no API, and what they read. */
export interface PageRoute {
  readonly surface: SurfaceName;
  readonly what: string;
  readonly paths: readonly string[];
  readonly parameters: readonly string[];
  readonly methods?: readonly string[];
  /** Parameters of an issued address that belong to it. */
  readonly given?: readonly Pair[];
}

const LOOKED_AT = ['me', 'avatar', 'login', 'lost', 'recover', 'provider', 'provider-return', 'x'];
/** All forms but those that would lock a caller out: passwords, ends of sessions. */
const FORMS = [
  'login',
  'lost',
  'recover',
  'profile',
  'email',
  'picture-remove',
  'secrets',
  'key-name',
  'stream-token',
  'identity-link',
  'identity-unlink',
  'relay-listenbrainz',
  'relay-lastfm',
  'relay-finish',
  'relay-unlink',
  'relay-hurry',
  'x',
];
const FIELDS = [
  'mark',
  'username',
  'email',
  'fullname',
  'website',
  'city',
  'state',
  'name',
  'key',
  'token',
  'done',
  'auth',
  'session',
  'provider',
  'plugin',
  'service',
  'url',
];
const ODD_PATHS = [
  '/',
  '/health/live',
  '/health/ready',
  '/metrics',
  '/favicon.ico',
  '/robots.txt',
  '/index.php',
  '/.env',
  '/.git/config',
  '/server/',
  '/rest',
  '/rest/',
  '/server/../health/live',
  '//',
  '/%',
  '/%ff',
  '/%00',
  '/%E0%A4%A/',
  '/%3Cscript%3E',
  `/${'a/'.repeat(700)}`,
];

const fixedRoutes: readonly PageRoute[] = [
  {
    surface: 'play',
    what: '/play',
    paths: [
      '/play/index.php',
      '/play/index.php',
      '/play/index.php/type/song/oid/1',
      '/play/type/song/oid/2/name/x.mp3',
      '/play/',
      '/play/ssid/x/oid/1',
      '/play/a/../../b',
      '/play/%2e%2e/%00',
    ],
    parameters: [
      'type',
      'oid',
      'id',
      'random',
      'random_type',
      'random_id',
      'action',
      'cache',
      'format',
      'bitrate',
      'gain',
      'demo_id',
      'content_length',
      'transcode_to',
      'player',
      'name',
      'offset',
      'share_id',
      'share_secret',
      'client',
    ],
  },
  {
    surface: 'picture',
    what: '/image.php',
    paths: ['/image.php'],
    parameters: ['object_type', 'object_id', 'size', 'thumb', 'name', 'id'],
  },
  {
    surface: 'share',
    what: '/share.php',
    paths: ['/share.php', '/share.php', '/share.php/play', '/share.php/download', '/share.php/art', '/share.php/x'],
    parameters: ['id', 'secret', 'token', 'action', 'size'],
  },
  {
    surface: 'account-page',
    what: '/account (looked at)',
    paths: ['/account', ...LOOKED_AT.map((page) => `/account/${page}`)],
    parameters: ['done', 'start', 'after', 'auth', 'out', 'code', 'state', 'error'],
    methods: ['GET', 'HEAD'],
  },
  {
    surface: 'account-page',
    what: '/account (forms)',
    paths: FORMS.map((form) => `/account/${form}`),
    parameters: FIELDS,
    methods: ['POST'],
  },
  { surface: 'account-page', what: '/account/picture', paths: ['/account/picture'], parameters: ['mark'], methods: ['POST'] },
  { surface: 'register', what: '/register.php', paths: ['/register.php'], parameters: ['auth', 'username'], methods: ['GET', 'POST'] },
  {
    surface: 'events',
    what: '/events',
    paths: ['/events'],
    parameters: ['types', 'last_event_id', 'auth', 'u', 'v', 'c'],
    methods: ['GET'],
  },
  {
    surface: 'hls',
    what: '/rest/hls',
    paths: [
      '/rest/hls/x/list.m3u8',
      '/rest/hls/x/0.ts',
      '/rest/hls/%00/list.m3u8',
      '/rest/hls/../list.m3u8',
      '/rest/hls/x.y.z/9999999.ts',
      `/rest/hls/${'A'.repeat(1500)}/list.m3u8`,
      '/rest/hls/x/%2e%2e%2fetc',
    ],
    parameters: ['id', 'token'],
    methods: ['GET', 'HEAD'],
  },
  {
    surface: 'upload',
    what: 'upload',
    paths: ['/rest/8/json/upload', '/rest/8/xml/upload'],
    parameters: ['filter', 'catalog', 'artist', 'album', 'license', 'upl'],
    methods: ['POST', 'PUT'],
  },
  { surface: 'status', what: 'status', paths: ODD_PATHS, parameters: ['a', 'name'] },
];

const PLAYING = ['format', 'bitrate', 'action', 'offset', 'random', 'type', 'size'];

/** Every surface beside the two APIs, and addresses that the server gave out. */
export const pageRoutes = ({ addresses }: Known): readonly PageRoute[] => [
  ...fixedRoutes,
  ...addresses.map(({ surface, path, pairs }): PageRoute => ({
    surface,
    what: `${surface} (given out)`,
    paths: [path],
    given: pairs,
    parameters: surface === 'hls' ? [] : PLAYING,
    methods: ['GET', 'GET', 'HEAD'],
  })),
];
