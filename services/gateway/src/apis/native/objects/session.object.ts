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

const row = nativeRows<NativeSessionView>();
const NEVER_MS = 0;
const cdata = { xml: 'cdata' } as const;
const since5 = { since: 5, xml: 'cdata' } as const;
const since4 = { since: 4, xml: 'cdata' } as const;
const only4 = { since: 4, until: 4, xml: 'cdata' } as const;
const until4 = { until: 4, xml: 'cdata' } as const;
const since6 = { since: 6, xml: 'cdata' } as const;

// Sessions without expiry have the number 0.
const expiry = [
  row.text('session_expire', ({ expiresAtMs }) => (expiresAtMs === null ? undefined : isoInstant(expiresAtMs)), { optional: true }),
  row.int('session_expire', ({ expiresAtMs }) => (expiresAtMs === null ? 0 : undefined), { ...cdata, optional: true }),
];
const auth = (since: number) => row.text('auth', (session) => session.token, { since });
const api = [
  row.text('streamtoken', (session) => session.streamToken, { since: 6, nullable: true }),
  row.text('api', (session) => session.api),
];
/** Number of playlists, with smartlists unless hidden. */
const both = ({ counts, hidesSearches }: NativeSessionView): number => counts.playlists + (hidesSearches ? 0 : counts.searches);
const totals = [
  row.text('update', ({ counts }) => isoInstant(counts.lastChangeAtMs ?? NEVER_MS)),
  row.text('add', ({ counts }) => isoInstant(counts.lastAddAtMs ?? NEVER_MS)),
  row.text('clean', ({ counts }) => isoInstant(counts.lastCleanAtMs ?? NEVER_MS)),
  row.int('max_song', ({ counts }) => counts.maxSong, since6),
  row.int('max_album', ({ counts }) => counts.maxAlbum, since6),
  row.int('max_artist', ({ counts }) => counts.maxArtist, since6),
  row.int('max_video', ({ counts }) => counts.maxVideo, since6),
  row.int('max_podcast', ({ counts }) => counts.maxPodcast, since6),
  row.int('max_podcast_episode', ({ counts }) => counts.maxPodcastEpisode, since6),
  row.int('songs', ({ counts }) => counts.songs, cdata),
  row.int('albums', ({ counts }) => counts.albums, cdata),
  row.int('artists', ({ counts }) => counts.artists, cdata),
  row.int('genres', ({ counts }) => counts.genres, since5),
  row.int('playlists', ({ counts }) => counts.playlists, { until: 3, xml: 'cdata' }),
  row.int('playlists', both, only4),
  row.int('playlists', ({ counts }) => counts.playlists, since5),
  row.int('searches', ({ counts }) => counts.searches, since5),
  row.int('playlists_searches', both, since5),
  row.int('users', ({ counts }) => counts.users, since5),
  row.int('catalogs', ({ counts }) => counts.catalogs, since5),
  row.int('videos', ({ counts }) => counts.videos, cdata),
  row.int('catalogs', ({ counts }) => counts.catalogs, until4),
  row.int('users', ({ counts }) => counts.users, only4),
  row.int('tags', ({ counts }) => counts.genres, only4),
  row.int('podcasts', ({ counts }) => counts.podcasts, since4),
  row.int('podcast_episodes', ({ counts }) => counts.podcastEpisodes, since4),
  row.int('shares', ({ counts }) => counts.shares, since4),
  row.int('licenses', ({ counts }) => counts.licenses, since4),
  row.int('live_streams', ({ counts }) => counts.liveStreams, since4),
  row.int('labels', ({ counts }) => counts.labels, since4),
  row.text('username', (session) => session.username, { since: 6 }),
];

/** Fields of the handshake, in order. */
export const handshakeObject = nativeObject<NativeSessionView>('handshake', [auth(0), ...api, ...expiry, ...totals]);

const COMPATIBLE = '350001';

/** Ping without a live session. */
export const serverObject = nativeObject<Pick<NativeSessionView, 'server' | 'api'>>({ kind: 'ping', schema: 'server' }, (of) => [
  of.text('server', (view) => view.server),
  of.text('version', (view) => view.api),
  of.text('compatible', () => COMPATIBLE),
]);

/** Ping with a session: expiry, server, then the handshake's fields. */
export const pingObject = nativeObject<NativeSessionView>('ping', [
  ...expiry,
  row.text('server', (view) => view.server),
  row.text('version', (view) => view.api),
  row.text('compatible', () => COMPATIBLE),
  auth(5),
  // Version 3 ends here.
  ...[...api, ...totals].map((field) => ({ ...field, since: Math.max(field.since, 4) })),
]);
