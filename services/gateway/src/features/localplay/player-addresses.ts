import type { UserId } from '@continuo/contracts';
import { playerUrls } from '../../auth/credentials/player-urls.js';
import type { HasClock, HasConfig, HasSecrets } from '../../server/needs.js';

/** Client name under which plays of the server's player are counted. */
const CLIENT = 'localplay';
const PATH = '/play/index.php';
const ANY_ADDRESS: readonly string[] = ['0.0.0.0', '::', ''];

/** A medium that the server's player is sent the address of. */
export interface PlayerMedium {
  readonly type: 'song' | 'video' | 'live_stream' | 'podcast_episode' | 'democratic';
  readonly id: number;
  /** For players that look at the suffix. */
  readonly fileName: string;
  /** Start of the song, which needs a conversion from there; absent for the whole file. */
  readonly fromMs?: number | undefined;
}

type Source = HasConfig & HasSecrets & HasClock;

/** Base address for players. Never the `Host` header, which clients choose: the address is requested from inside the network. */
const baseUrl = ({ config: { LOCALPLAY_STREAM_URL: own, PUBLIC_URL: open, HOST: host, PORT: port } }: Source): string => {
  const machine = ANY_ADDRESS.includes(host) ? '127.0.0.1' : host;
  return (own ?? open ?? `http://${machine.includes(':') ? `[${machine}]` : machine}:${port}`).replace(/\/+$/, '');
};

const OTHER_TYPES = ['video', 'live_stream', 'podcast_episode'] as const;
const FILE_NAME_LENGTH = 120;

const MS_PER_SECOND = 1000;

/** The original file: the player decodes every format and seeks by itself. */
const formOf = ({ type, fromMs }: PlayerMedium): Record<string, string> => {
  if (type !== 'song') return {};
  return fromMs === undefined ? { format: 'raw' } : { transcode_to: 'flac', frame: String(fromMs / MS_PER_SECOND) };
};

const paramsOf = (thing: PlayerMedium): Record<string, string> => {
  const { type, id, fileName } = thing;
  const name = fileName.replaceAll('/', '-').toWellFormed().slice(-FILE_NAME_LENGTH).toWellFormed();
  const what: Record<string, string> = type === 'democratic' ? { demo_id: String(id) } : { type, oid: String(id) };
  return { ...what, ...formOf(thing), client: CLIENT, name };
};

/** Signed address of a medium, valid as long as a queue lasts. */
export const playerAddress = (source: Source, userId: UserId, thing: PlayerMedium): string => {
  const params = paramsOf(thing);
  const ssid = playerUrls(source.secrets, source.now).sign(userId, params);
  const pairs = Object.entries({ ssid, ...params }).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${baseUrl(source)}${PATH}?${pairs.join('&')}`;
};

/** Parses an address made by {@link playerAddress}, also when it expired or names another host of this server; undefined for other addresses. */
export const parsePlayerAddress = (source: Source): ((url: string) => Omit<PlayerMedium, 'fileName'> | undefined) => {
  const urls = playerUrls(source.secrets, source.now);
  return (url) => {
    const parsed = URL.parse(url);
    if (!parsed?.pathname.endsWith(PATH)) return undefined;
    const params = Object.fromEntries(parsed.searchParams);
    if (!urls.isOurs(params['ssid'] ?? '', params)) return undefined;
    if (params['demo_id'] !== undefined) return { type: 'democratic', id: Number(params['demo_id']) };
    const { frame } = params;
    return {
      type: OTHER_TYPES.find((type) => type === params['type']) ?? 'song',
      id: Number(params['oid']),
      ...(frame === undefined ? {} : { fromMs: Math.round(Number(frame) * MS_PER_SECOND) }),
    };
  };
};

/** A foreign address without credentials and query string. */
export const plainAddress = (url: string): string => {
  const parsed = URL.parse(url);
  // Other programs queue file paths, which are not addresses.
  if (!parsed?.host) return url.split('?')[0] ?? '';
  return `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
};
