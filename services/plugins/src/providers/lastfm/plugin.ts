import type { AlbumFacts, AlbumQuery, ArtistFacts, ArtistQuery, SongFacts, SongQuery, SuggestedSong } from '../../api/metadata.js';
import { definePlugin, type PluginTools } from '../../api/plugin.js';
import { days, textOf } from '../shared/names.js';
import { biographyOf } from './biography.js';

interface Named {
  readonly name: string;
  readonly mbid?: string;
}
/** One element is sometimes not in an array. */
type Many<T> = readonly T[] | T | undefined;
interface Tags {
  readonly tag?: Many<{ readonly name: string }>;
}
interface Texts {
  readonly summary?: string;
  readonly content?: string;
}
interface TrackRecord extends Named {
  readonly artist?: Named;
  /** 0 to 1, number or text. */
  readonly match?: number | string;
}

/** Answers of the API as far as they are used (last.fm/api). */
interface Answers {
  readonly 'artist.getinfo': { readonly artist?: Named & { readonly url?: string; readonly bio?: Texts; readonly tags?: Tags | '' } };
  readonly 'artist.getsimilar': { readonly similarartists?: { readonly artist?: Many<Named & { readonly match?: string | number }> } };
  readonly 'artist.gettoptracks': { readonly toptracks?: { readonly track?: Many<TrackRecord> } };
  readonly 'album.getinfo': { readonly album?: Named & { readonly url?: string; readonly wiki?: Texts; readonly tags?: Tags | '' } };
  readonly 'track.getinfo': { readonly track?: Named & { readonly url?: string; readonly wiki?: Texts; readonly toptags?: Tags | '' } };
  readonly 'track.getsimilar': { readonly similartracks?: { readonly track?: Many<TrackRecord> } };
}

/** No such artist, album or track. */
const NOT_FOUND = 6;
const MOST_SIMILAR = 50;
const keptMs = days(7);

const many = <T>(some: Many<T>): readonly T[] => (some === undefined ? [] : Array.isArray(some) ? (some as readonly T[]) : [some as T]);
const tagsOf = (tags: Tags | '' | undefined): string[] => (tags === '' || tags === undefined ? [] : many(tags.tag).map(({ name }) => name));
const scoreOf = (match: string | number | undefined): number | undefined =>
  match === undefined ? undefined : Math.min(1, Math.max(0, Number(match) || 0));

/** Asks for a method. Undefined: nothing is known of it. @throws Error that says what the service says, for a key that is refused and the like */
const look = async <M extends keyof Answers>(
  { settings, fetch }: PluginTools,
  method: M,
  params: Readonly<Record<string, string | undefined>>,
): Promise<Answers[M] | undefined> => {
  const url = new URL(settings['url'] as string);
  const query = { ...params, method, api_key: settings['apiKey'], format: 'json', autocorrect: '1' };
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  const { status, body } = await fetch({ url: url.href, keepMs: keptMs });
  const text = new TextDecoder().decode(body);
  const answer = (text.startsWith('{') ? JSON.parse(text) : {}) as Answers[M] & { readonly error?: number; readonly message?: string };
  if (answer.error === NOT_FOUND || status === 404) return undefined;
  if (answer.error !== undefined) throw new Error(`Last.fm answered error ${answer.error}: ${String(answer.message)}`);
  if (status !== 200) throw new Error(`Last.fm answered ${status}`);
  return answer;
};

/** Names or an id; it is known by one of them. */
const artistParams = ({ name, mbid }: ArtistQuery): Record<string, string | undefined> => ({ artist: name, mbid });

const artist = async (tools: PluginTools, query: ArtistQuery): Promise<ArtistFacts | undefined> => {
  const params = artistParams(query);
  const [about, alike] = await Promise.all([
    look(tools, 'artist.getinfo', { ...params, lang: query.language ?? tools.settings['language'] }),
    look(tools, 'artist.getsimilar', { ...params, limit: String(MOST_SIMILAR) }),
  ]);
  const record = about?.artist;
  const similar = many(alike?.similarartists?.artist).map((one) => ({ name: one.name, mbid: textOf(one.mbid), score: scoreOf(one.match) }));
  if (!record && similar.length === 0) return undefined;
  return { mbid: textOf(record?.mbid), url: textOf(record?.url), tags: tagsOf(record?.tags), similar, ...biographyOf(record?.bio) };
};

const topSongs = async (
  tools: PluginTools,
  query: ArtistQuery & { readonly count: number },
): Promise<readonly SuggestedSong[] | undefined> => {
  const answer = await look(tools, 'artist.gettoptracks', { ...artistParams(query), limit: String(query.count) });
  const tracks = many(answer?.toptracks?.track);
  return tracks.length === 0
    ? undefined
    : tracks.map(({ name, mbid, artist: by }) => ({ title: name, mbid: textOf(mbid), artist: by?.name ?? query.name }));
};

const album = async (tools: PluginTools, { name, artist: by, language }: AlbumQuery): Promise<AlbumFacts | undefined> => {
  if (textOf(by) === undefined) return undefined;
  const answer = await look(tools, 'album.getinfo', { album: name, artist: by, lang: language ?? tools.settings['language'] });
  const record = answer?.album;
  return record && { mbid: textOf(record.mbid), url: textOf(record.url), tags: tagsOf(record.tags), ...biographyOf(record.wiki) };
};

const song = async (tools: PluginTools, { title, artist: by }: SongQuery): Promise<SongFacts | undefined> => {
  if (textOf(by) === undefined) return undefined;
  const params = { track: title, artist: by };
  const [about, alike] = await Promise.all([
    look(tools, 'track.getinfo', params),
    look(tools, 'track.getsimilar', { ...params, limit: String(MOST_SIMILAR) }),
  ]);
  const similar = many(alike?.similartracks?.track).map((one) => ({
    title: one.name,
    artist: one.artist?.name,
    mbid: textOf(one.mbid),
    score: scoreOf(one.match),
  }));
  const record = about?.track;
  if (!record && similar.length === 0) return undefined;
  const { summary } = biographyOf(record?.wiki);
  return { mbid: textOf(record?.mbid), url: textOf(record?.url), tags: tagsOf(record?.toptags), similar, summary };
};

/** Biographies, tags, and what is alike, from Last.fm. Needs a key of one's own. */
export default definePlugin({
  apiVersion: 1,
  name: 'lastfm',
  title: 'Last.fm',
  version: '1.0.0',
  sends: 'Names of the artists, albums and songs that somebody asks about, and your key, to ws.audioscrobbler.com.',
  settings: {
    apiKey: { about: 'Key of an API account of last.fm/api', required: true, secret: true },
    url: { about: 'Entry of the API', default: 'https://ws.audioscrobbler.com/2.0/', isAddress: true },
    language: { about: 'Language of texts, two letters', default: 'en' },
  },
  pace: { everyMs: 200 },
  start: (tools) => ({
    metadata: {
      artist: (query) => artist(tools, query),
      album: (query) => album(tools, query),
      song: (query) => song(tools, query),
      topSongs: (query) => topSongs(tools, query),
    },
  }),
});
