import { baseConfig, flag, isSchedule, outboundSettings, whole, type Environment } from '@continuo/chassis';
import { playerBackEnds } from '@continuo/contracts';
import { z } from 'zod';
import { meilisearchSettings } from '@continuo/search-index';
import { artSettings, storageSettings } from '@continuo/media-store';
import { authSettings } from '../auth/auth-settings.js';

const MIB = 1024 * 1024;

const list = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((part) => part.trim() || []));

/** Settings of the gateway. Names carry their units. */
export const gatewayConfig = baseConfig.extend({
  /** Port of the APIs. */
  PORT: z.coerce.number().int().min(0).max(65535).default(8080),
  /** Address on which the APIs listen. */
  HOST: z.string().default('0.0.0.0'),
  /** Address under which clients reach the server, when their `Host` header does not say it. */
  PUBLIC_URL: z.url().optional(),
  /** Address of a Grafana with dashboards of this server, which the managing page then leads to. */
  GRAFANA_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Proxies whose `X-Forwarded-*` headers are believed: addresses or networks, separated by commas. */
  TRUSTED_PROXIES: list,
  ...authSettings,
  /** Whether people can sign in to their account's page, `/account`, and so to the web page, `/`. */
  ACCOUNT_PAGE: flag(true),
  /** Largest picture of an account that may be uploaded. */
  AVATAR_MAX_BYTES: whole(1024, 5 * MIB),
  /** Identity provider (OpenID Connect) by which people may sign in to their account's page; needs `OIDC_CLIENT_ID` and `PUBLIC_URL`. */
  OIDC_ISSUER: z.url().optional(),
  /** Under which name this server is known there. */
  OIDC_CLIENT_ID: z.string().optional(),
  /** Its secret; without one the server is a public client, and PKCE alone protects the login. */
  OIDC_CLIENT_SECRET: z.string().optional(),
  /** Authentication at the provider: in the header (`basic`) or in the body (`post`). */
  OIDC_CLIENT_AUTH: z.enum(['basic', 'post']).default('basic'),
  /** Scopes requested from the provider, separated by blanks. */
  OIDC_SCOPES: z.string().default('openid profile email'),
  /** Label of the login button. */
  OIDC_NAME: z.string().default('single sign-on'),
  /** Claim that names new accounts. */
  OIDC_USERNAME_CLAIM: z.string().default('preferred_username'),
  /** Users without an account: none is made (`link`: owners of accounts link them on their page), or one of level user (`create`). */
  OIDC_ACCOUNTS: z.enum(['link', 'create']).default('link'),
  /** Claim that holds somebody's groups. */
  OIDC_GROUPS_CLAIM: z.string().default('groups'),
  /** Group that people have to be in; absent: none. */
  OIDC_REQUIRED_GROUP: z.string().optional(),
  /** Header in which a trusted proxy says who is signed in there, for the account's page; never believed from anybody but `TRUSTED_PROXIES`. The proxy must remove it from what clients send. */
  PROXY_LOGIN_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/)
    .transform((name) => name.toLowerCase())
    .optional(),
  /** Whether whom the proxy names gets an account of level user when there is none. */
  PROXY_LOGIN_CREATE: flag(false),
  /** Largest body of a request, but for files. It may come from anybody: most clients prove who they are within it. */
  HTTP_BODY_LIMIT_BYTES: whole(1024, MIB),
  /** Timeout for receiving a request. */
  HTTP_REQUEST_TIMEOUT_MS: whole(0, 30_000),
  /** HTTP status of native answers without bytes: always 200 (`ok`), or one that fits the error (`mapped`). */
  NATIVE_HTTP_STATUS: z.enum(['ok', 'mapped']).default('ok'),
  /** Versions of the native API that are served. One that is missing is answered as the next newer one. */
  NATIVE_API_VERSIONS: z
    .string()
    .default('3,4,5,6,8')
    .transform((text) => text.split(',').map((part) => Number(part.trim())))
    .pipe(z.array(z.union([z.literal(3), z.literal(4), z.literal(5), z.literal(6), z.literal(8)])).min(1)),
  /** Clients, by the name they send as `c`, that stumble over OpenSubsonic fields and get answers without them. */
  COMPAT_LEGACY_CLIENTS: z
    .string()
    .default('DSub,SubMusic,Clementine')
    .transform((text): ReadonlySet<string> => new Set(text.split(',').flatMap((part) => part.trim().toLowerCase() || []))),
  /** Whether unauthenticated clients may make accounts (`register`); the social service has to be told the same. */
  ALLOW_PUBLIC_REGISTRATION: flag(false),
  /** Whether ratings and favourites are taken. Those that stand are shown all the same. */
  RATINGS: flag(true),
  /** Whether people can follow each other, see what others do, shout and chat. */
  SOCIABLE: flag(true),
  /** Whether things can be shared under public addresses. */
  SHARE: flag(true),
  /** Default lifetime of a share in days; 0: unlimited. */
  SHARE_EXPIRE_DAYS: z.coerce.number().int().min(0).max(36_500).default(7),
  /** Whether videos are listed, found and sent. */
  ALLOW_VIDEO: flag(true),
  /** Whether there are radio stations (live streams). */
  LIVE_STREAM: flag(true),
  /** Whether podcasts are listed, found and sent, and can be subscribed to. */
  PODCAST: flag(true),
  /** Whether stations are asked what they play when a client wants to know it. */
  LIVE_STREAM_TITLES: flag(true),
  /** Program that plays on the server itself, unless the preference `localplay_controller` is set; `MPD_HOST` and so on say where it is. */
  LOCALPLAY_CONTROLLER: z.enum(['none', ...playerBackEnds]).default('none'),
  /** Address under which that program reaches this server; else `PUBLIC_URL`, else this machine's own at `PORT`. */
  LOCALPLAY_STREAM_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Whether media files may be deleted from the disk over the API (`song_delete`, task `remove`). */
  DELETE_FROM_DISK: flag(false),
  /** Largest media file that may be uploaded. */
  UPLOAD_MAX_BYTES: whole(1, 1024 * MIB),
  /** Room that uploads leave free on the disk of their catalog. */
  UPLOAD_KEEP_FREE_BYTES: whole(0, 1024 * MIB),
  /** Files that one gateway receives at the same time; more are refused for the moment. */
  UPLOADS_AT_ONCE: whole(1, 8),
  /** Memory for the id lists from which pages are cut. */
  LIST_CACHE_BYTES: whole(0, 64 * MIB),
  /** Long answers (more than 1000 things) streamed at the same time; more wait for a slot. One account has half of the slots at most. */
  LIST_STREAMS: whole(1, 8),
  /** Long answers that may wait for a slot; more are refused for the moment. */
  LIST_QUEUE: whole(0, 64),
  /** Timeout after which a search is refused as too broad. */
  SEARCH_TIMEOUT_MS: whole(1, 10_000),
  /** The same for searches of more than ten rules, smartlists included: what they cost is multiplied. */
  SEARCH_TIMEOUT_MANY_RULES_MS: whole(1, 800),
  /** Searches that may run at the same time; more wait. */
  SEARCH_PLACES: whole(1, 4),
  /** Searches that may wait for a free slot. */
  SEARCH_QUEUE: whole(0, 200),
  ...outboundSettings,
  ...storageSettings,
  ...artSettings,
  ...meilisearchSettings,
  /** Timeout of Meilisearch for a full-text search; then Postgres is asked, with five times as long. */
  SEARCH_INDEX_TIMEOUT_MS: whole(1, 400),
  /** Longest wait of a writing call until its own write can be read. */
  READ_YOUR_WRITES_TIMEOUT_MS: whole(0, 1000),
  /** A song that plays for less than this before the same client goes on counts as skipped. Below 1: that fraction of the song's length. */
  SKIP_TIMER_SECONDS: z.coerce.number().min(0).default(20),
  /** Plays of the last so many days count for what is played most, unless the preference `stats_threshold` is set. */
  STATS_THRESHOLD_DAYS: z.coerce.number().min(0).default(7),
  /** Default number of things in statistics, unless the preference `popular_threshold` is set. */
  POPULAR_THRESHOLD: whole(1, 10),
  /** Event streams (`/events`) that one gateway keeps open. */
  EVENT_STREAMS: whole(0, 1000),
  /** Event streams that one account may have on one gateway. */
  EVENT_STREAMS_PER_USER: whole(0, 8),
  /** Pause between signs of life on an event stream. */
  EVENT_STREAM_HEARTBEAT_MS: whole(50, 15_000),
  /** A client that leaves more than this unread is dropped. */
  EVENT_STREAM_BUFFER_BYTES: whole(4096, 256 * 1024),
  /** As many events of the logs are looked through for a client that comes back; one that missed more is told to begin anew. */
  EVENT_STREAM_RESUME_EVENTS: whole(0, 5000),
  /** Longest side of a picture that may be asked for. */
  ART_MAX_SIDE_PX: z.coerce.number().int().min(16).max(8192).default(2048),
  /** Pictures of more pixels are not resized. */
  ART_MAX_INPUT_PIXELS: whole(1, 50_000_000),
  /** Larger pictures are sent as they are. */
  ART_MAX_INPUT_BYTES: whole(1024, 32 * MIB),
  /** Memory for resized pictures. */
  ART_CACHE_BYTES: whole(0, 32 * MIB),
  /** Whether albums, artists and playlists may be downloaded as zip archives. */
  ZIP_DOWNLOADS: flag(true),
  /** Folder for backups that administrators take over HTTP; without one they are taken with the command line. The standalone sets it to `backups` in its data folder. */
  BACKUP_FOLDER: z.string().min(1).optional(),
  /** When backups are taken into that folder, as a cron expression (minute, hour, day, month, day of week); empty: never by the clock. */
  BACKUP_SCHEDULE: z
    .string()
    .trim()
    .default('')
    .refine((text) => text === '' || isSchedule(text), 'this is no cron expression'),
  /** Name of the time zone that the schedule means. */
  BACKUP_SCHEDULE_ZONE: z.string().trim().min(1).default('UTC'),
  /** Backups that are left when a scheduled one is whole: the oldest are deleted. */
  BACKUP_KEEP: z.coerce.number().int().min(1).max(1000).default(7),
  /** Archives that one gateway sends at the same time; more are refused for the moment. */
  ZIP_STREAMS: whole(1, 4),
  /** Files that an archive may have. */
  ZIP_MAX_FILES: z.coerce.number().int().min(1).max(65_000).default(5000),
  /** Pictures that may be resized at the same time. */
  ART_WORKERS: z.coerce.number().int().min(1).max(64).default(2),
  /** Requests that may wait for a free resizing slot. */
  ART_QUEUE: whole(0, 200),
});
export type GatewayConfig = z.infer<typeof gatewayConfig>;

/** The environment of this process; `main.ts` hands it on. */
export const environment: Environment = process.env;
