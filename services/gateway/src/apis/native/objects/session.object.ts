import type { ServerCounts } from '../../../reads/library/counts.reads.js';
import { isoInstant } from './context.js';
import { nativeObject, nativeRows } from './native-object.js';

/** Data of handshake and ping. */
export interface NativeSessionView {
  readonly token: string;
  readonly username: string;
  /** The account's stream token; null when it has none. */
  readonly streamToken: string | null;
  /** Epoch milliseconds; null when sessions never end. */
  readonly expiresAtMs: number | null;
  /** API version in the client's spelling. */
  readonly api: string;
  /** Version of the server. */
  readonly server: string;
  readonly counts: ServerCounts;
  /** True when the account hides smartlists among its playlists. */
  readonly hidesSearches: boolean;
}

const of = nativeRows<NativeSessionView>();
const NEVER_MS = 0;
const cdata = { xml: 'cdata' } as const;
const since5 = { since: 5, xml: 'cdata' } as const;
const since4 = { since: 4, xml: 'cdata' } as const;
const only4 = { since: 4, until: 4, xml: 'cdata' } as const;
const until4 = { until: 4, xml: 'cdata' } as const;
const since6 = { since: 6, xml: 'cdata' } as const;

// Sessions without expiry have the number 0.
const expiry = [
  of.text('session_expire', ({ expiresAtMs }) => (expiresAtMs === null ? undefined : isoInstant(expiresAtMs)), { optional: true }),
  of.int('session_expire', ({ expiresAtMs }) => (expiresAtMs === null ? 0 : undefined), { ...cdata, optional: true }),
];
const auth = (since: number) => of.text('auth', (session) => session.token, { since });
const api = [
  of.text('streamtoken', (session) => session.streamToken, { since: 6, nullable: true }),
  of.text('api', (session) => session.api),
];
/** Number of playlists, with smartlists unless hidden. */
const both = ({ counts, hidesSearches }: NativeSessionView): number => counts.playlists + (hidesSearches ? 0 : counts.searches);
const totals = [
  of.text('update', ({ counts }) => isoInstant(counts.lastChangeAtMs ?? NEVER_MS)),
  of.text('add', ({ counts }) => isoInstant(counts.lastAddAtMs ?? NEVER_MS)),
  of.text('clean', ({ counts }) => isoInstant(counts.lastCleanAtMs ?? NEVER_MS)),
  of.int('max_song', ({ counts }) => counts.maxSong, since6),
  of.int('max_album', ({ counts }) => counts.maxAlbum, since6),
  of.int('max_artist', ({ counts }) => counts.maxArtist, since6),
  of.int('max_video', ({ counts }) => counts.maxVideo, since6),
  of.int('max_podcast', ({ counts }) => counts.maxPodcast, since6),
  of.int('max_podcast_episode', ({ counts }) => counts.maxPodcastEpisode, since6),
  of.int('songs', ({ counts }) => counts.songs, cdata),
  of.int('albums', ({ counts }) => counts.albums, cdata),
  of.int('artists', ({ counts }) => counts.artists, cdata),
  of.int('genres', ({ counts }) => counts.genres, since5),
  of.int('playlists', ({ counts }) => counts.playlists, { until: 3, xml: 'cdata' }),
  of.int('playlists', both, only4),
  of.int('playlists', ({ counts }) => counts.playlists, since5),
  of.int('searches', ({ counts }) => counts.searches, since5),
  of.int('playlists_searches', both, since5),
  of.int('users', ({ counts }) => counts.users, since5),
  of.int('catalogs', ({ counts }) => counts.catalogs, since5),
  of.int('videos', ({ counts }) => counts.videos, cdata),
  of.int('catalogs', ({ counts }) => counts.catalogs, until4),
  of.int('users', ({ counts }) => counts.users, only4),
  of.int('tags', ({ counts }) => counts.genres, only4),
  of.int('podcasts', ({ counts }) => counts.podcasts, since4),
  of.int('podcast_episodes', ({ counts }) => counts.podcastEpisodes, since4),
  of.int('shares', ({ counts }) => counts.shares, since4),
  of.int('licenses', ({ counts }) => counts.licenses, since4),
  of.int('live_streams', ({ counts }) => counts.liveStreams, since4),
  of.int('labels', ({ counts }) => counts.labels, since4),
  of.text('username', (session) => session.username, { since: 6 }),
];

/** Fields of the handshake, in order. */
export const handshakeObject = nativeObject<NativeSessionView>('handshake', () => [auth(0), ...api, ...expiry, ...totals]);

const COMPATIBLE = '350001';

/** Ping without a live session. */
export const serverObject = nativeObject<Pick<NativeSessionView, 'server' | 'api'>>({ kind: 'ping', schema: 'server' }, (of) => [
  of.text('server', (view) => view.server),
  of.text('version', (view) => view.api),
  of.text('compatible', () => COMPATIBLE),
]);

/** Ping with a session: expiry, server, then the handshake's fields. */
export const pingObject = nativeObject<NativeSessionView>('ping', () => [
  ...expiry,
  of.text('server', (view) => view.server),
  of.text('version', (view) => view.api),
  of.text('compatible', () => COMPATIBLE),
  auth(5),
  // Version 3 ends here.
  ...[...api, ...totals].map((row) => ({ ...row, since: Math.max(row.since, 4) })),
]);
