import { createHash, randomBytes } from 'node:crypto';
import { jsonOf } from '@continuo/chassis';
import { Rejection, type CatalogCredentials } from '@continuo/contracts';
import { z } from 'zod';
import { StorageUnavailable, type ByteRange } from '../file-storage.js';
import { TransientError } from '../retries.js';
import { CATALOG_CLIENT, SONGS_PER_PAGE, type RemoteApi, type RemotePart } from './remote-api.js';
import type { RemoteRequests } from './remote-requests.js';
import { suffixFrom, type RemoteName, type RemoteSong } from './remote-song.js';

const MAX_PICTURE_BYTES = 32 * 1024 * 1024;
const KBIT = 1000;
const SECOND_MS = 1000;
/** Error numbers of the API. */
const NOT_ALLOWED = 50;
const NOT_FOUND = 70;
/** Wrong name or password, and ways of logging in that the server refuses. */
const LOGIN_ERRORS = new Set([40, 41, 42, 43, 44]);

const named = z.object({ name: z.string(), musicBrainzId: z.string().optional() });
const optionalNumber = z.coerce.number().optional().catch(undefined);

/** A song as servers show it; whatever is odd about a field leaves the field out, not the song. */
const child = z.object({
  id: z.coerce.string(),
  isDir: z.boolean().default(false),
  isVideo: z.boolean().default(false),
  title: z.string().catch(''),
  album: z.string().catch(''),
  artist: z.string().catch(''),
  displayArtist: z.string().optional().catch(undefined),
  displayAlbumArtist: z.string().optional().catch(undefined),
  artists: z.array(named).default([]).catch([]),
  albumArtists: z.array(named).default([]).catch([]),
  contributors: z
    .array(z.object({ role: z.string(), subRole: z.string().optional(), artist: named }))
    .default([])
    .catch([]),
  track: optionalNumber,
  discNumber: optionalNumber,
  year: optionalNumber,
  genre: z.string().optional().catch(undefined),
  genres: z.array(named).default([]).catch([]),
  moods: z.array(z.string()).default([]).catch([]),
  duration: optionalNumber,
  bitRate: optionalNumber,
  size: optionalNumber,
  suffix: z.string().catch(''),
  contentType: z.string().catch(''),
  samplingRate: optionalNumber,
  channelCount: optionalNumber,
  bitDepth: optionalNumber,
  bpm: optionalNumber,
  comment: z.string().optional().catch(undefined),
  musicBrainzId: z.string().optional().catch(undefined),
  isrc: z.array(z.string()).default([]).catch([]),
  sortName: z.string().optional().catch(undefined),
  replayGain: z
    .object({ trackGain: optionalNumber, albumGain: optionalNumber, trackPeak: optionalNumber, albumPeak: optionalNumber })
    .default({})
    .catch({}),
  created: z.string().optional().catch(undefined),
  coverArt: z.coerce.string().optional().catch(undefined),
});
type Child = z.output<typeof child>;

const envelope = z.object({
  'subsonic-response': z.looseObject({
    status: z.string(),
    error: z.object({ code: z.coerce.number(), message: z.string().optional() }).optional(),
    searchResult3: z.object({ song: z.array(z.unknown()).default([]) }).optional(),
    song: z.unknown().optional(),
  }),
});
type Answer = z.output<typeof envelope>['subsonic-response'];

const filled = (text: string | undefined): string | undefined => (text === undefined || text.trim() === '' ? undefined : text);
const positive = (value: number | undefined): number | undefined => (value !== undefined && value > 0 ? value : undefined);
const wholePositive = (value: number | undefined): number | undefined => positive(value === undefined ? undefined : Math.round(value));
const namesOf = (list: readonly z.output<typeof named>[], otherwise: string): RemoteName[] => {
  const names = list.flatMap(({ name, musicBrainzId }) => (name.trim() === '' ? [] : [{ name, mbid: filled(musicBrainzId) }]));
  return names.length > 0 || otherwise.trim() === '' ? names : [{ name: otherwise }];
};

const songOf = (said: Child): RemoteSong => {
  const artists = namesOf(said.artists, said.artist);
  const albumArtists = namesOf(said.albumArtists, said.displayAlbumArtist ?? '');
  const createdMs = Date.parse(said.created ?? '');
  const others = said.contributors.map(({ role, subRole, artist }) => ({ role, subRole, name: artist.name }));
  const isComposer = ({ role }: { role: string }): boolean => role === 'composer';
  return {
    id: said.id,
    title: said.title || said.id,
    artists,
    displayArtist: filled(said.displayArtist) ?? filled(said.artist),
    album: said.album,
    albumArtists: albumArtists.length > 0 ? albumArtists : artists,
    contributors: others.filter((one) => !isComposer(one)),
    composers: others.filter(isComposer).map(({ name }) => name),
    track: wholePositive(said.track),
    disk: wholePositive(said.discNumber),
    year: wholePositive(said.year),
    genres: said.genres.length > 0 ? said.genres.map(({ name }) => name) : [said.genre ?? ''].filter((name) => name !== ''),
    moods: said.moods,
    durationMs: Math.round((positive(said.duration) ?? 0) * SECOND_MS),
    bitrateBps: Math.round((positive(said.bitRate) ?? 0) * KBIT),
    sizeBytes: wholePositive(said.size) ?? 0,
    suffix: suffixFrom(said.suffix, said.contentType),
    mime: said.contentType || 'application/octet-stream',
    sampleRateHz: wholePositive(said.samplingRate) ?? 0,
    channels: wholePositive(said.channelCount),
    bitDepth: wholePositive(said.bitDepth),
    bpm: positive(said.bpm),
    comment: filled(said.comment),
    mbid: filled(said.musicBrainzId),
    isrcs: said.isrc,
    sortTitle: filled(said.sortName),
    trackGainDb: said.replayGain.trackGain,
    albumGainDb: said.replayGain.albumGain,
    trackPeak: positive(said.replayGain.trackPeak),
    albumPeak: positive(said.replayGain.albumPeak),
    addedAtMs: Number.isNaN(createdMs) ? 0 : Math.max(0, createdMs),
    artId: filled(said.coverArt),
  };
};

/** Another server by the Subsonic API, with what OpenSubsonic adds where the server has it. */
export class SubsonicApi implements RemoteApi {
  /** Method that fetches originals; servers may forbid an account to download and still let it listen. */
  #original: 'download' | 'stream' = 'download';

  constructor(
    private readonly requests: RemoteRequests,
    private readonly credentials: CatalogCredentials,
  ) {}

  async check(): Promise<void> {
    await this.#ask('ping', {});
  }

  async songs(offset: number, signal?: AbortSignal): Promise<readonly RemoteSong[]> {
    const wanted = { query: '', songCount: String(SONGS_PER_PAGE), songOffset: String(offset), artistCount: '0', albumCount: '0' };
    const { searchResult3 } = await this.#ask('search3', wanted, signal);
    return (searchResult3?.song ?? []).flatMap((one) => {
      const said = child.safeParse(one);
      return said.success && !said.data.isDir && !said.data.isVideo ? [songOf(said.data)] : [];
    });
  }

  async song(id: string): Promise<RemoteSong> {
    const { song } = await this.#ask('getSong', { id });
    const said = child.safeParse(song);
    if (!said.success) throw new StorageUnavailable('what the server says of a song cannot be read', { cause: said.error });
    return songOf(said.data);
  }

  async bytes(id: string, part?: ByteRange): Promise<RemotePart> {
    try {
      return await this.#bytes(this.#original, id, part);
    } catch (error) {
      if (this.#original === 'stream' || !(error instanceof NotAllowed)) throw error;
      this.#original = 'stream';
      return this.#bytes('stream', id, part);
    }
  }

  async picture(artId: string): Promise<Uint8Array | undefined> {
    const answer = await this.requests.whole(this.#path('getCoverArt', { id: artId }), { maxBytes: MAX_PICTURE_BYTES });
    return answer.status === 200 && !isText(answer.headers['content-type']) ? answer.body : undefined;
  }

  #bytes(operation: 'download' | 'stream', id: string, part: ByteRange | undefined): Promise<RemotePart> {
    const path = this.#path(operation, operation === 'stream' ? { id, format: 'raw' } : { id });
    return this.requests.part(path, part, ({ headers, body }) => {
      if (isText(headers['content-type'])) read(body);
    });
  }

  async #ask(operation: string, params: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Answer> {
    const answer = await this.requests.whole(this.#path(operation, params), signal ? { signal } : {});
    return read(answer.body);
  }

  #path(operation: string, params: Readonly<Record<string, string>>): string {
    const salt = randomBytes(8).toString('hex');
    const token = createHash('md5').update(`${this.credentials.secret}${salt}`).digest('hex');
    const query = new URLSearchParams({
      ...params,
      u: this.credentials.name,
      t: token,
      s: salt,
      v: '1.16.1',
      c: CATALOG_CLIENT,
      f: 'json',
    });
    return `/rest/${operation}.view?${query.toString()}`;
  }
}

/** The account may not do this one thing. */
class NotAllowed extends StorageUnavailable {}

const isText = (type: string | undefined): boolean => /json|xml|text\/plain|html/.test(type ?? '');

/** Takes an answer apart. @throws StorageUnavailable, TransientError or Rejection for what it says went wrong */
const read = (body: Uint8Array): Answer => {
  const parsed = envelope.safeParse(jsonOf(body));
  if (!parsed.success) throw new StorageUnavailable('what answers there is no server with the Subsonic API', { cause: parsed.error });
  const answer = parsed.data['subsonic-response'];
  if (answer.status === 'ok') return answer;
  const { code = 0, message = '' } = answer.error ?? {};
  const words = `${message.slice(0, 200)} (${code})`;
  if (code === NOT_FOUND) throw new Rejection('media.not-found');
  if (code === NOT_ALLOWED) throw new NotAllowed(`the server does not let this account do that: ${words}`);
  if (LOGIN_ERRORS.has(code)) throw new StorageUnavailable(`the server refuses name or password: ${words}`);
  if (code === 0) throw new TransientError(`the server failed: ${words}`);
  throw new StorageUnavailable(`the server answers: ${words}`);
};
