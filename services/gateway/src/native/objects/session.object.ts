import { objectTable, rowsOf } from '../../render/index.js';
import type { ServerCounts } from '../../reads/counts.reads.js';
import { isoInstant, type NativeContext } from './context.js';

/** What handshake and ping tell. */
export interface NativeSessionView {
  readonly token: string;
  readonly username: string;
  /** The account's stream token; null when it has none. */
  readonly streamToken: string | null;
  /** Epoch milliseconds; null when sessions never end. */
  readonly expiresAtMs: number | null;
  /** Version of the dialect in the client's spelling. */
  readonly api: string;
  /** Version of the server. */
  readonly server: string;
  readonly counts: ServerCounts;
  /** True for who wants no smartlists among its playlists. */
  readonly hidesSearches: boolean;
}

const of = rowsOf<NativeSessionView, NativeContext>();
const NEVER_MS = 0;
const cdata = { xml: 'cdata' } as const;
const since5 = { since: 5, xml: 'cdata' } as const;
const since4 = { since: 4, xml: 'cdata' } as const;
const only4 = { since: 4, until: 4, xml: 'cdata' } as const;
const until4 = { until: 4, xml: 'cdata' } as const;
const since6 = { since: 6, xml: 'cdata' } as const;

// Sessions that never end say the number 0.
const expiry = [
  of.text('session_expire', ({ expiresAtMs }) => (expiresAtMs === null ? undefined : isoInstant(expiresAtMs))),
  of.num('session_expire', ({ expiresAtMs }) => (expiresAtMs === null ? 0 : undefined), cdata),
];
const auth = (since: number) => of.text('auth', (session) => session.token, { since });
const api = [of.text('streamtoken', (session) => session.streamToken, { since: 6 }), of.text('api', (session) => session.api)];
/** Playlists and smartlists, as far as they are shown together (native README section 4). */
const both = ({ counts, hidesSearches }: NativeSessionView): number => counts.playlists + (hidesSearches ? 0 : counts.searches);
const totals = [
  of.text('update', ({ counts }) => isoInstant(counts.lastChangeAtMs ?? NEVER_MS)),
  of.text('add', ({ counts }) => isoInstant(counts.lastAddAtMs ?? NEVER_MS)),
  of.text('clean', ({ counts }) => isoInstant(counts.lastCleanAtMs ?? NEVER_MS)),
  of.num('max_song', ({ counts }) => counts.maxSong, since6),
  of.num('max_album', ({ counts }) => counts.maxAlbum, since6),
  of.num('max_artist', ({ counts }) => counts.maxArtist, since6),
  of.num('max_video', ({ counts }) => counts.maxVideo, since6),
  of.num('max_podcast', ({ counts }) => counts.maxPodcast, since6),
  of.num('max_podcast_episode', ({ counts }) => counts.maxPodcastEpisode, since6),
  of.num('songs', ({ counts }) => counts.songs, cdata),
  of.num('albums', ({ counts }) => counts.albums, cdata),
  of.num('artists', ({ counts }) => counts.artists, cdata),
  of.num('genres', ({ counts }) => counts.genres, since5),
  of.num('playlists', ({ counts }) => counts.playlists, { until: 3, xml: 'cdata' }),
  of.num('playlists', both, only4),
  of.num('playlists', ({ counts }) => counts.playlists, since5),
  of.num('searches', ({ counts }) => counts.searches, since5),
  of.num('playlists_searches', both, since5),
  of.num('users', ({ counts }) => counts.users, since5),
  of.num('catalogs', ({ counts }) => counts.catalogs, since5),
  of.num('videos', ({ counts }) => counts.videos, cdata),
  of.num('catalogs', ({ counts }) => counts.catalogs, until4),
  of.num('users', ({ counts }) => counts.users, only4),
  of.num('tags', ({ counts }) => counts.genres, only4),
  of.num('podcasts', ({ counts }) => counts.podcasts, since4),
  of.num('podcast_episodes', ({ counts }) => counts.podcastEpisodes, since4),
  of.num('shares', ({ counts }) => counts.shares, since4),
  of.num('licenses', ({ counts }) => counts.licenses, since4),
  of.num('live_streams', ({ counts }) => counts.liveStreams, since4),
  of.num('labels', ({ counts }) => counts.labels, since4),
  of.text('username', (session) => session.username, { since: 6 }),
];

/** versions.md section 5: the handshake's order. */
export const handshakeObject = objectTable<NativeSessionView, NativeContext>('handshake', [auth(0), ...api, ...expiry, ...totals]);

const server = rowsOf<Pick<NativeSessionView, 'server' | 'api'>, NativeContext>();
const COMPATIBLE = '350001';

/** Ping without a live session. */
export const serverObject = objectTable('ping', [
  server.text('server', (view) => view.server),
  server.text('version', (view) => view.api),
  server.text('compatible', () => COMPATIBLE),
]);

/** Ping with a live session: the expiry, the server, then what the handshake tells. */
export const pingObject = objectTable<NativeSessionView, NativeContext>('ping', [
  ...expiry,
  of.text('server', (view) => view.server),
  of.text('version', (view) => view.api),
  of.text('compatible', () => COMPATIBLE),
  auth(5),
  // Version 3 stops here.
  ...[...api, ...totals].map((row) => ({ ...row, since: Math.max(row.since, 4) })),
]);
