import { baseConfig, outboundSettings, type Environment } from '@continuo/chassis';
import { pluginSettings } from '@continuo/plugins';
import { z } from 'zod';

const flag = (byDefault: boolean) =>
  z
    .enum(['true', 'false', '1', '0', 'on', 'off'])
    .default(byDefault ? 'true' : 'false')
    .transform((text) => text === 'true' || text === '1' || text === 'on');

/** Settings of the playback service. */
export const playbackConfig = baseConfig.extend({
  /** Where the Music Player Daemon listens that plays on the server itself: a host, or the path of a socket. Asked only when the preference `localplay_controller` says `mpd`. */
  MPD_HOST: z.string().min(1).default('127.0.0.1'),
  /** Its port. */
  MPD_PORT: z.coerce.number().int().min(1).max(65_535).default(6600),
  /** Its password, if it asks for one. */
  MPD_PASSWORD: z.string().min(1).optional(),
  /** How long it may take to do what it is told. */
  MPD_TIMEOUT_MS: z.coerce.number().int().min(100).max(3500).default(3000),
  ...outboundSettings,
  ...pluginSettings,
  /** Whether what people play is told to the services that they have linked with their accounts. Off: it waits. */
  RELAY: flag(true),
  /** Where the API of ListenBrainz, or of a server that speaks its protocol, begins. */
  LISTENBRAINZ_API_URL: z.url().default('https://api.listenbrainz.org'),
  /** Whether accounts may name a server of their own that speaks the protocol of ListenBrainz. */
  RELAY_OWN_ADDRESSES: flag(true),
  /** Key that Last.fm gave for this server; accounts cannot be linked with Last.fm without it. */
  LASTFM_API_KEY: z.string().min(1).optional(),
  /** The secret that belongs to that key. */
  LASTFM_API_SECRET: z.string().min(1).optional(),
  /** Entry of the API of Last.fm, or of a server that speaks its protocol. */
  LASTFM_API_URL: z.url().default('https://ws.audioscrobbler.com/2.0/'),
  /** Page on which people allow this server to use their Last.fm account. */
  LASTFM_ALLOW_URL: z.url().default('https://www.last.fm/api/auth/'),
  /** How long such a service may take to answer. */
  RELAY_TIMEOUT_MS: z.coerce.number().int().min(100).max(15_000).default(10_000),
  /** How often a play that breaks such a service is tried before it is put aside; one that it is too busy or not there for waits as long as need be. */
  RELAY_ATTEMPTS: z.coerce.number().int().min(1).max(50).default(10),
  /** Pause after the first try that failed; each further one is three times as long, up to an hour. */
  RELAY_FIRST_RETRY_MS: z.coerce.number().int().min(10).default(5000),
});
export type PlaybackConfig = z.infer<typeof playbackConfig>;

/** The environment of this process; `main.ts` hands it on. */
export const environment: Environment = process.env;
