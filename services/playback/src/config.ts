import { baseConfig, flag, outboundSettings, type Environment } from '@continuo/chassis';
import { pluginSettings } from '@continuo/plugins';
import { z } from 'zod';

/** Settings of the playback service. */
export const playbackConfig = baseConfig.extend({
  /** Host or socket path of the Music Player Daemon that plays on the server itself. Used only when the preference `localplay_controller` says `mpd`. */
  MPD_HOST: z.string().min(1).default('127.0.0.1'),
  /** Its port. */
  MPD_PORT: z.coerce.number().int().min(1).max(65_535).default(6600),
  /** Its password, if it asks for one. */
  MPD_PASSWORD: z.string().min(1).optional(),
  /** Timeout of a command, ms. */
  MPD_TIMEOUT_MS: z.coerce.number().int().min(100).max(3500).default(3000),
  /** Largest number of bookmarks of an account. */
  BOOKMARKS_PER_ACCOUNT: z.coerce.number().int().min(1).max(1_000_000).default(10_000),
  ...outboundSettings,
  ...pluginSettings,
  /** Enables the scrobble relay: plays are sent to the services that accounts are linked with. While it is off, plays wait. */
  RELAY: flag(true),
  /** Base URL of the API of ListenBrainz, or of a server that speaks its protocol. */
  LISTENBRAINZ_API_URL: z.url().default('https://api.listenbrainz.org'),
  /** Allows accounts to name a server of their own that speaks the protocol of ListenBrainz. */
  RELAY_OWN_ADDRESSES: flag(true),
  /** Key that Last.fm gave for this server; accounts cannot be linked with Last.fm without it. */
  LASTFM_API_KEY: z.string().min(1).optional(),
  /** The secret that belongs to that key. */
  LASTFM_API_SECRET: z.string().min(1).optional(),
  /** Entry of the API of Last.fm, or of a server that speaks its protocol. */
  LASTFM_API_URL: z.url().default('https://ws.audioscrobbler.com/2.0/'),
  /** Page on which people allow this server to use their Last.fm account. */
  LASTFM_ALLOW_URL: z.url().default('https://www.last.fm/api/auth/'),
  /** Timeout of an answer of such a service, ms. */
  RELAY_TIMEOUT_MS: z.coerce.number().int().min(100).max(15_000).default(10_000),
  /** Attempts for a play on which such a service fails, before the play is put aside; while a service is busy or unreachable, plays wait without limit. */
  RELAY_ATTEMPTS: z.coerce.number().int().min(1).max(50).default(10),
  /** Pause after the first try that failed; each further one is three times as long, up to an hour. */
  RELAY_FIRST_RETRY_MS: z.coerce.number().int().min(10).default(5000),
});
export type PlaybackConfig = z.infer<typeof playbackConfig>;

/** The environment of this process; `main.ts` hands it on. */
export const environment: Environment = process.env;
