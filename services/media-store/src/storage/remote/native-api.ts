import { createHash } from 'node:crypto';
import { jsonOf } from '@continuo/chassis';
import { Rejection, type CatalogCredentials } from '@continuo/contracts';
import { z } from 'zod';
import { StorageUnavailable, type ByteRange } from '../file-storage.js';
import { TransientError } from '../retries.js';
import { CATALOG_CLIENT, SONGS_PER_PAGE, type RemoteApi, type RemotePart } from './remote-api.js';
import type { RemoteRequests } from './remote-requests.js';
import { suffixFrom, type RemoteSong } from './remote-song.js';

const MAX_PICTURE_BYTES = 32 * 1024 * 1024;
const SECOND_MS = 1000;
/** The version that is asked for: servers of either of the two newest know it. */
const VERSION = '6.6.0';
/** Error numbers of the API: the session has ended, there is nothing of that id, the account may not do that. */
const ENDED = '4701';
const NOT_FOUND = '4704';
const REFUSED = new Set(['4700', '4703', '4742']);

const optionalNumber = z.coerce.number().optional().catch(undefined);
const optionalText = z.string().optional().catch(undefined);
const named = z.object({ id: z.coerce.string().default(''), name: z.string() });

/** A song as servers show it; whatever is odd about a field leaves the field out, not the song. */
const shown = z.object({
  id: z.coerce.string(),
  title: z.string().catch(''),
  artist: named.optional().catch(undefined),
  artists: z.array(named).default([]).catch([]),
  album: named.optional().catch(undefined),
  albumartist: named.optional().catch(undefined),
  disk: optionalNumber,
  track: optionalNumber,
  year: optionalNumber,
  genre: z.array(named).default([]).catch([]),
  time: optionalNumber,
  bitrate: optionalNumber,
  rate: optionalNumber,
  channels: optionalNumber,
  size: optionalNumber,
  mime: z.string().catch(''),
  format: optionalText,
  filename: optionalText,
  mbid: optionalText,
  comment: optionalText,
  composer: optionalText,
  has_art: z.boolean().default(false).catch(false),
  replaygain_album_gain: optionalNumber,
  replaygain_album_peak: optionalNumber,
  replaygain_track_gain: optionalNumber,
  replaygain_track_peak: optionalNumber,
});
type Shown = z.output<typeof shown>;

const answer = z.looseObject({
  error: z.looseObject({ errorCode: z.coerce.string().default(''), errorMessage: z.string().default('') }).optional(),
  auth: z.string().optional(),
  song: z.array(z.unknown()).optional(),
});
type Answer = z.output<typeof answer>;

const filled = (text: string | null | undefined): string | undefined => (text && text.trim() !== '' ? text : undefined);
const positive = (value: number | undefined): number | undefined => (value !== undefined && value > 0 ? Math.round(value) : undefined);

const songOf = (said: Shown): RemoteSong => {
  const artists = (said.artists.length > 0 ? said.artists : [said.artist]).flatMap((one) =>
    one && one.name !== '' ? [{ name: one.name }] : [],
  );
  const gain = (value: number | undefined): number | undefined => (value === 0 ? undefined : value);
  return {
    id: said.id,
    title: said.title || said.id,
    artists,
    album: said.album?.name ?? '',
    albumArtists: said.albumartist?.name ? [{ name: said.albumartist.name }] : artists,
    contributors: [],
    composers: filled(said.composer) === undefined ? [] : [said.composer as string],
    track: positive(said.track),
    disk: positive(said.disk),
    year: positive(said.year),
    genres: said.genre.map(({ name }) => name),
    moods: [],
    durationMs: (positive(said.time) ?? 0) * SECOND_MS,
    bitrateBps: positive(said.bitrate) ?? 0,
    sizeBytes: positive(said.size) ?? 0,
    suffix: suffixFrom(said.format ?? said.filename?.slice(said.filename.lastIndexOf('.') + 1) ?? '', said.mime),
    mime: said.mime || 'application/octet-stream',
    sampleRateHz: positive(said.rate) ?? 0,
    channels: positive(said.channels),
    comment: filled(said.comment),
    mbid: filled(said.mbid),
    isrcs: [],
    trackGainDb: gain(said.replaygain_track_gain),
    albumGainDb: gain(said.replaygain_album_gain),
    trackPeak: gain(said.replaygain_track_peak),
    albumPeak: gain(said.replaygain_album_peak),
    addedAtMs: 0,
    artId: said.has_art ? (filled(said.album?.id) ?? undefined) : undefined,
  };
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Another server by the native API, JSON form. */
export class NativeApi implements RemoteApi {
  #session: Promise<string> | undefined;

  constructor(
    private readonly requests: RemoteRequests,
    private readonly credentials: CatalogCredentials,
  ) {}

  async check(): Promise<void> {
    await this.songs(0, undefined, 1);
  }

  async songs(offset: number, signal?: AbortSignal, limit = SONGS_PER_PAGE): Promise<readonly RemoteSong[]> {
    const { song = [] } = await this.#ask({ action: 'songs', offset: String(offset), limit: String(limit) }, signal);
    return song.flatMap((one) => {
      const said = shown.safeParse(one);
      return said.success ? [songOf(said.data)] : [];
    });
  }

  async song(id: string): Promise<RemoteSong> {
    const said = await this.#ask({ action: 'song', filter: id });
    const parsed = shown.safeParse(said.song?.[0] ?? said);
    if (!parsed.success) throw new StorageUnavailable('what the server says of a song cannot be read', { cause: parsed.error });
    return songOf(parsed.data);
  }

  async bytes(id: string, part?: ByteRange): Promise<RemotePart> {
    return this.#inSession(async (auth) => {
      const path = addressOf({ action: 'download', type: 'song', id, filter: id, format: 'raw', stats: '0', auth });
      return this.requests.part(path, part, ({ body }) => read(body));
    });
  }

  async picture(artId: string): Promise<Uint8Array | undefined> {
    return this.#inSession(async (auth) => {
      const path = addressOf({ action: 'get_art', type: 'album', id: artId, filter: artId, auth });
      const { status, headers, body } = await this.requests.whole(path, { maxBytes: MAX_PICTURE_BYTES });
      return status === 200 && (headers['content-type'] ?? '').startsWith('image/') ? body : undefined;
    });
  }

  #ask(params: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Answer> {
    return this.#inSession(async (auth) =>
      read((await this.requests.whole(addressOf({ ...params, auth }), signal ? { signal } : {})).body),
    );
  }

  /** Does something in a session; in a new one, once, when the old one has ended. */
  async #inSession<T>(work: (auth: string) => Promise<T>): Promise<T> {
    const session = (this.#session ??= this.#open());
    try {
      return await work(await session);
    } catch (error) {
      if (this.#session === session) this.#session = undefined;
      if (!(error instanceof SessionEnded)) throw error;
      return work(await (this.#session ??= this.#open()));
    }
  }

  async #open(): Promise<string> {
    const timestamp = String(Math.floor(Date.now() / SECOND_MS));
    const { name: user, secret } = this.credentials;
    const auth = sha256(timestamp + sha256(secret));
    const path = addressOf({ action: 'handshake', auth, timestamp, user, version: VERSION, client: CATALOG_CLIENT });
    const opened = read((await this.requests.whole(path)).body);
    if (opened.auth === undefined) throw new StorageUnavailable('the server opens no session');
    return opened.auth;
  }
}

/** The session is no longer known to the server. */
class SessionEnded extends StorageUnavailable {}

const addressOf = (params: Readonly<Record<string, string>>): string => `/server/json.server.php?${new URLSearchParams(params).toString()}`;

/** Takes an answer apart. @throws StorageUnavailable, TransientError or Rejection for what it says went wrong */
const read = (body: Uint8Array): Answer => {
  const parsed = answer.safeParse(jsonOf(body));
  if (!parsed.success) throw new StorageUnavailable('what answers there is no server with the native API', { cause: parsed.error });
  const { error } = parsed.data;
  if (!error) return parsed.data;
  const { errorCode: code, errorMessage } = error;
  const words = `${errorMessage.slice(0, 200)} (${code})`;
  if (code === NOT_FOUND) throw new Rejection('media.not-found');
  if (code === ENDED) throw new SessionEnded(`the server refuses name or password: ${words}`);
  if (REFUSED.has(code)) throw new StorageUnavailable(`the server does not let this account do that: ${words}`);
  if (code === '' || code.startsWith('5')) throw new TransientError(`the server failed: ${words}`);
  throw new StorageUnavailable(`the server answers: ${words}`);
};
