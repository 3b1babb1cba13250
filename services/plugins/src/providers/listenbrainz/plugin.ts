import type { ArtistFacts, ArtistQuery, SongFacts, SongQuery, SuggestedSong } from '../../api/metadata.js';
import { definePlugin, type PluginTools } from '../../api/plugin.js';
import { days, textOf } from '../shared/names.js';

/** Answers of the API as far as they are used (listenbrainz.readthedocs.io, labs.api.listenbrainz.org). */
interface SimilarArtistRecord {
  readonly artist_mbid: string;
  readonly name: string;
  readonly score?: number;
}
interface SimilarRecordingRecord {
  readonly recording_mbid: string;
  readonly recording_name: string;
  readonly artist_credit_name?: string;
  readonly score?: number;
}
interface PopularRecording {
  readonly recording_mbid: string;
  readonly recording_name: string;
  readonly artist_name?: string;
}

const MOST = 50;
/** The data set of sessions that the service keeps for everybody. */
const ARTISTS = 'session_based_days_7500_session_300_contribution_5_threshold_10_limit_100_filter_True_skip_30';
const SONGS = 'session_based_days_180_session_300_contribution_5_threshold_15_limit_50_skip_30';

const look = <T>(
  { settings, fetchJson }: PluginTools,
  base: 'url' | 'labsUrl',
  path: string,
  query: Readonly<Record<string, string>> = {},
) => {
  const url = new URL(path, settings[base]);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const token = settings['token'];
  return fetchJson<T>({
    url: url.href,
    keepMs: days(7),
    ...(token === undefined || base !== 'url' ? {} : { headers: { authorization: `Token ${token}` } }),
  });
};

/** Scores are counts; the likest is 1. */
const byScore = <T extends { readonly score?: number }>(found: readonly T[]): { readonly one: T; readonly score: number }[] => {
  const most = Math.max(1, ...found.map(({ score }) => score ?? 0));
  return found.slice(0, MOST).map((one) => ({ one, score: (one.score ?? 0) / most }));
};

const artist = async (tools: PluginTools, { mbid }: ArtistQuery): Promise<ArtistFacts | undefined> => {
  if (mbid === undefined) return undefined;
  const found = await look<readonly SimilarArtistRecord[]>(tools, 'labsUrl', '/similar-artists/json', {
    artist_mbids: mbid,
    algorithm: ARTISTS,
  });
  const others = (found ?? []).filter(({ artist_mbid: other }) => other !== mbid);
  if (others.length === 0) return undefined;
  return { similar: byScore(others).map(({ one, score }) => ({ name: one.name, mbid: one.artist_mbid, score })) };
};

const song = async (tools: PluginTools, { mbid }: SongQuery): Promise<SongFacts | undefined> => {
  if (mbid === undefined) return undefined;
  const found = await look<readonly SimilarRecordingRecord[]>(tools, 'labsUrl', '/similar-recordings/json', {
    recording_mbids: mbid,
    algorithm: SONGS,
  });
  const others = (found ?? []).filter(({ recording_mbid: other }) => other !== mbid);
  if (others.length === 0) return undefined;
  const similar = byScore(others).map(({ one, score }) => ({
    title: one.recording_name,
    artist: textOf(one.artist_credit_name),
    mbid: one.recording_mbid,
    score,
  }));
  return { mbid, similar };
};

const topSongs = async (
  tools: PluginTools,
  { mbid, count }: ArtistQuery & { readonly count: number },
): Promise<readonly SuggestedSong[] | undefined> => {
  if (mbid === undefined) return undefined;
  const found = await look<readonly PopularRecording[]>(
    tools,
    'url',
    `/1/popularity/top-recordings-for-artist/${encodeURIComponent(mbid)}`,
  );
  if (!found?.length) return undefined;
  return found.slice(0, count).map((one) => ({ title: one.recording_name, artist: textOf(one.artist_name), mbid: one.recording_mbid }));
};

/** Similar artists and top songs from the listening data of ListenBrainz, by MusicBrainz id only. */
export default definePlugin({
  apiVersion: 1,
  name: 'listenbrainz',
  title: 'ListenBrainz',
  version: '1.0.0',
  sends: 'MusicBrainz ids of the artists and songs that somebody asks about, to api.listenbrainz.org and labs.api.listenbrainz.org.',
  settings: {
    url: { about: 'Address of the API', default: 'https://api.listenbrainz.org', isAddress: true },
    labsUrl: { about: 'Address of the data sets', default: 'https://labs.api.listenbrainz.org', isAddress: true },
    token: { about: 'Token of an account, for more requests', secret: true },
  },
  pace: { everyMs: 300 },
  start: (tools) => ({
    metadata: {
      artist: (query) => artist(tools, query),
      song: (query) => song(tools, query),
      topSongs: (query) => topSongs(tools, query),
    },
  }),
});
