import { z } from 'zod';
import { clientPreferences } from './client-preferences.js';
import { playerBackEnds } from './commands/localplay.commands.js';
import { MAX_PREFERENCE_LENGTH, type PreferenceDefinition } from './preference-definition.js';
import { ADMINISTRATOR, MANAGER, no, number, oneOf, text, USER, yes, type Kind, type Place } from './preference-rows.js';
import { serverFacts } from './server-facts.js';

const api: Place = { category: 'options', subcategory: 'api' };
const feature: Place = { category: 'options', subcategory: 'feature' };
const browse: Place = { category: 'interface', subcategory: 'browse' };
const library: Place = { category: 'interface', subcategory: 'library' };
const privacy: Place = { category: 'interface', subcategory: 'privacy' };
const query: Place = { category: 'interface', subcategory: 'query' };
const playlist: Place = { category: 'playlist', subcategory: null };
const options: Place = { category: 'options', subcategory: null };
const transcoding: Place = { category: 'streaming', subcategory: 'transcoding' };
const democratic: Place = { category: 'system', subcategory: 'democratic' };
const localplay: Place = { category: 'options', subcategory: 'localplay' };
const upload: Place = { category: 'system', subcategory: 'upload' };
const podcasts: Place = { category: 'system', subcategory: 'podcast' };
const paths: Place = { category: 'system', subcategory: 'catalog' };
const roles: Place = { category: 'options', subcategory: 'role' };
const shares: Place = { category: 'system', subcategory: 'share' };

const builtIn = <N extends string>(
  id: number,
  name: N,
  description: string,
  more: Place & Kind & { readonly level?: number },
): PreferenceDefinition & { readonly name: N } => ({ id, name, description, level: USER, ...more });

/**
 * The preferences that change what this server answers, by the names that clients know, and those that only clients look at. Their numbers are
 * fixed: values refer to them. Preferences of operators are numbered from {@link FIRST_CUSTOM_PREFERENCE} on.
 */
export const builtInPreferences = [
  builtIn(1, 'download', 'Media files may be downloaded', { ...feature, ...yes, level: ADMINISTRATOR }),
  builtIn(2, 'share', 'Links may be shared with people who have no account', { ...feature, ...yes, level: ADMINISTRATOR }),
  builtIn(3, 'allow_democratic_playback', 'People may vote for what plays next', { ...feature, ...yes, level: ADMINISTRATOR }),
  builtIn(4, 'allow_upload', 'Media files may be uploaded', { ...feature, ...no, level: ADMINISTRATOR }),
  builtIn(5, 'upload_catalog', 'Number of the catalog that takes uploads; -1 is none', { ...upload, ...number(-1), level: ADMINISTRATOR }),
  builtIn(6, 'upload_subdir', 'Uploads lie in a folder of the account that sent them', { ...upload, ...yes, level: ADMINISTRATOR }),
  builtIn(7, 'upload_access_level', 'Least access level that may upload', {
    ...upload,
    ...oneOf('25', '50', '75', '100'),
    level: ADMINISTRATOR,
  }),
  builtIn(10, 'api_enable_3', 'Answer in version 3 of the API', { ...api, ...yes }),
  builtIn(11, 'api_enable_4', 'Answer in version 4 of the API', { ...api, ...yes }),
  builtIn(12, 'api_enable_5', 'Answer in version 5 of the API', { ...api, ...yes }),
  builtIn(13, 'api_enable_6', 'Answer in version 6 of the API', { ...api, ...yes }),
  builtIn(14, 'api_enable_8', 'Answer in version 8 of the API', { ...api, ...yes }),
  builtIn(15, 'api_force_version', 'Always answer in this version of the API; 0 leaves it to the client', {
    ...api,
    ...oneOf('0', '3', '4', '5', '6', '8'),
  }),
  builtIn(16, 'subsonic_legacy', 'Enable legacy responses for compatibility: Subsonic 1.16.1 without additions', { ...api, ...no }),
  builtIn(17, 'api_hidden_playlists', 'Keep playlists whose names begin with this from API clients', { ...api, ...text }),
  builtIn(18, 'api_hide_dupe_searches', 'Keep smartlists that are named like a playlist from API clients', { ...api, ...no }),
  builtIn(19, 'hide_search', 'Leave smartlists out of playlists', { ...api, ...no }),
  builtIn(30, 'album_sort', 'Usual order of albums; 0 is by name and year', {
    ...library,
    ...oneOf('0', 'name_asc', 'name_desc', 'name_year', 'name_original_year', 'year_asc', 'year_desc'),
  }),
  builtIn(31, 'album_group', 'Show the disks of an album as one', { ...library, ...yes }),
  builtIn(32, 'use_original_year', 'Show the year of the first release of albums, where it is known', { ...browse, ...no }),
  builtIn(40, 'allow_personal_info_now', 'Others may see what I listen to now', { ...privacy, ...yes }),
  builtIn(41, 'allow_personal_info_recent', 'Others may see what I did lately', { ...privacy, ...yes }),
  builtIn(50, 'popular_threshold', 'How many things statistics list when nothing is said', { ...query, ...number(10) }),
  builtIn(51, 'stats_threshold', 'Days that count for statistics', { ...query, ...number(7), level: MANAGER }),
  builtIn(60, 'unique_playlist', 'Never add a song to a playlist that has it', { ...playlist, ...no }),
  builtIn(61, 'bookmark_latest', 'Keep the latest bookmark of a file only', { ...options, ...no }),
  builtIn(70, 'transcode', 'When media are converted', { ...transcoding, ...oneOf('default', 'never', 'required') }),
  builtIn(71, 'transcode_bitrate', 'Bit rate of converted media, kbit/s', { ...transcoding, ...number(128) }),
  builtIn(73, 'transcode_format', 'Format of converted media when none is asked for', {
    ...transcoding,
    ...oneOf('mp3', 'opus', 'ogg', 'aac', 'm4a', 'flac', 'wav'),
  }),
  builtIn(72, 'rate_limit', 'Bytes that a stream may take, KiB/s; 0 sets no limit', {
    ...transcoding,
    ...number(0),
    level: ADMINISTRATOR,
  }),
  builtIn(80, 'share_expire', 'Days that a shared link stays open when nothing is said; 0 is for ever', {
    ...shares,
    ...number(7),
    level: ADMINISTRATOR,
  }),
  builtIn(100, 'demo_base_playlist', 'Number of the playlist, or smart_ and that of the smartlist, that plays when nobody votes', {
    ...democratic,
    ...text,
    level: ADMINISTRATOR,
  }),
  builtIn(101, 'demo_cooldown_minutes', 'Minutes that a song which people voted for waits until it can be voted for again', {
    ...democratic,
    ...number(0),
    level: ADMINISTRATOR,
  }),
  builtIn(
    170,
    'show_server_paths',
    'Accounts below level 50 are shown where files lie on the server; otherwise the path within their catalog',
    {
      ...paths,
      ...no,
      level: ADMINISTRATOR,
    },
  ),
  builtIn(
    110,
    'podcast_keep',
    'Downloaded episodes of a podcast that stay, the newest; those that somebody asked for stay anyway; 0 keeps all',
    {
      ...podcasts,
      ...number(10),
      level: ADMINISTRATOR,
    },
  ),
  builtIn(111, 'podcast_new_download', 'New episodes of a podcast that are downloaded by themselves, the newest; -1 is all', {
    ...podcasts,
    ...number(1),
    level: ADMINISTRATOR,
  }),
  builtIn(90, 'localplay_controller', 'Program that plays on the server itself; none when empty', {
    ...localplay,
    ...oneOf('', ...playerBackEnds),
    level: ADMINISTRATOR,
  }),
  builtIn(91, 'localplay_level', 'Least access level that may play on the server itself; 0 is nobody', {
    ...localplay,
    ...oneOf('0', '5', '25', '50', '75', '100'),
    default: '100',
    level: ADMINISTRATOR,
  }),
  builtIn(92, 'allow_localplay_playback', 'Songs may be played on the server itself', { ...localplay, ...yes, level: ADMINISTRATOR }),
  builtIn(120, 'allow_stream', 'Media may be streamed', { ...roles, ...yes, level: ADMINISTRATOR }),
  builtIn(121, 'allow_settings', 'The account may change its own password, profile and settings', {
    ...roles,
    ...yes,
    level: ADMINISTRATOR,
  }),
  builtIn(122, 'allow_comment', 'Messages may be written for others', { ...roles, ...yes, level: ADMINISTRATOR }),
  builtIn(123, 'allow_playlist', 'Playlists may be made and changed', { ...roles, ...yes, level: ADMINISTRATOR }),
  builtIn(124, 'allow_podcast', 'Podcasts may be subscribed to, refreshed and removed', { ...roles, ...yes, level: ADMINISTRATOR }),
  builtIn(125, 'allow_cover_art', 'Pictures of things may be replaced', { ...roles, ...yes, level: ADMINISTRATOR }),
  builtIn(126, 'allow_video_conversion', 'Videos may be converted', { ...roles, ...yes, level: ADMINISTRATOR }),
  ...clientPreferences,
  ...serverFacts,
] as const;

/** The name of a preference of the server's own. */
export type BuiltInPreference = (typeof builtInPreferences)[number]['name'];

/**
 * Roles that administrators may give to an account, or take from it, apart from its level, by the preference that holds each: the roles of the compatibility API, which hold on
 * every surface.
 */
export const rolePreferences = {
  stream: 'allow_stream',
  download: 'download',
  upload: 'allow_upload',
  settings: 'allow_settings',
  jukebox: 'allow_localplay_playback',
  playlist: 'allow_playlist',
  coverArt: 'allow_cover_art',
  comment: 'allow_comment',
  podcast: 'allow_podcast',
  share: 'share',
  videoConversion: 'allow_video_conversion',
} as const satisfies Readonly<Record<string, BuiltInPreference>>;
export type AccountRole = keyof typeof rolePreferences;

/** Preferences of operators are numbered from here on. */
export const FIRST_CUSTOM_PREFERENCE = 1000;

/** The name of a preference: what fits into a path and a log line. */
export const preferenceName = z.string().regex(/^[\p{L}\p{N}_.:-]{1,128}$/u, 'must be 1 to 128 letters, digits or signs of _.:-');

/** A line of text about a preference. */
export const preferenceText = z
  .string()
  .max(1024)
  // oxlint-disable-next-line no-control-regex -- not every program that reads the API's documents knows \p{…}
  .regex(/^[^\u0000-\u001f\u007f-\u009f\ud800-\udfff]*$/u, 'must be one line of text');

const TRUE: readonly string[] = ['1', 'true', 'yes', 'on'];
const FALSE: readonly string[] = ['0', 'false', 'no', 'off', ''];
const LARGEST = 2_147_483_647;

const wholeNumber = (given: string): string | undefined => {
  const trimmed = given.trim();
  return /^-?\d{1,10}$/.test(trimmed) && Math.abs(Number(trimmed)) <= LARGEST ? String(Number(trimmed)) : undefined;
};

const yesOrNo = (given: string): string | undefined => {
  const word = given.trim().toLowerCase();
  if (TRUE.includes(word)) return '1';
  return FALSE.includes(word) ? '0' : undefined;
};

/** A value as it is kept; undefined for one that a preference of this type cannot have. NUL and broken characters fit nowhere. */
export const preferenceValue = ({ type, values }: Pick<PreferenceDefinition, 'type' | 'values'>, given: string): string | undefined => {
  if (given.length > MAX_PREFERENCE_LENGTH || given.includes('\0') || !given.isWellFormed()) return undefined;
  if (type === 'boolean') return yesOrNo(given);
  if (type === 'integer') return wholeNumber(given);
  return values === undefined || values.includes(given) ? given : undefined;
};
