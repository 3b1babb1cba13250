import type { UserId } from '@continuo/contracts';
import { playerUrls } from '../auth/player-urls.js';
import type { GatewayServices } from '../services.js';

/** The name under which what such a player fetches is counted, beside those of other clients. */
const CLIENT = 'localplay';
const PATH = '/play/index.php';
const ANY_ADDRESS: readonly string[] = ['0.0.0.0', '::', ''];

/** Something that a player on the server is given the address of. */
export interface Addressed {
  readonly type: 'song' | 'video' | 'live_stream' | 'podcast_episode' | 'democratic';
  readonly id: number;
  /** For players that look at the suffix. */
  readonly fileName: string;
  /** Where a song begins, brought into a form that begins there; absent: the file as it is. */
  readonly fromMs?: number | undefined;
}

type Source = Pick<GatewayServices, 'config' | 'secrets' | 'now'>;

/** Where players reach this server. Never what a client says in its `Host` header: it would be asked for from within. */
const baseUrl = ({ config: { LOCALPLAY_STREAM_URL: own, PUBLIC_URL: open, HOST: host, PORT: port } }: Source): string => {
  const machine = ANY_ADDRESS.includes(host) ? '127.0.0.1' : host;
  return (own ?? open ?? `http://${machine.includes(':') ? `[${machine}]` : machine}:${port}`).replace(/\/+$/, '');
};

const OTHER_TYPES = ['video', 'live_stream', 'podcast_episode'] as const;
const FILE_NAME_LENGTH = 120;

const MS_PER_SECOND = 1000;

/** The player plays every format, and seeks in the file itself where it can; so it gets the file as it is. */
const formOf = ({ type, fromMs }: Addressed): Record<string, string> => {
  if (type !== 'song') return {};
  return fromMs === undefined ? { format: 'raw' } : { transcode_to: 'flac', frame: String(fromMs / MS_PER_SECOND) };
};

const paramsOf = (thing: Addressed): Record<string, string> => {
  const { type, id, fileName } = thing;
  const name = fileName.replaceAll('/', '-').toWellFormed().slice(-FILE_NAME_LENGTH).toWellFormed();
  const what: Record<string, string> = type === 'democratic' ? { demo_id: String(id) } : { type, oid: String(id) };
  return { ...what, ...formOf(thing), client: CLIENT, name };
};

/** Where something plays for an account, signed; good for as long as queues stand. */
export const playerAddress = (source: Source, userId: UserId, thing: Addressed): string => {
  const params = paramsOf(thing);
  const ssid = playerUrls(source.secrets, source.now).sign(userId, params);
  const pairs = Object.entries({ ssid, ...params }).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${baseUrl(source)}${PATH}?${pairs.join('&')}`;
};

/** What an address that {@link playerAddress} made plays, be it over or made under another name of this server; undefined for anybody else's. */
export const addressedBy = (source: Source): ((url: string) => Omit<Addressed, 'fileName'> | undefined) => {
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

/** An address of somebody else's without what it may carry of secrets. */
export const plainAddress = (url: string): string => {
  const parsed = URL.parse(url);
  // Paths of files, as other programs queue them, are no addresses.
  if (!parsed?.host) return url.split('?')[0] ?? '';
  return `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
};
