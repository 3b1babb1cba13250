import type { FoundLyrics } from '../../api/lyrics.js';
import type { SongQuery } from '../../api/metadata.js';
import { definePlugin, type PluginTools } from '../../api/plugin.js';
import { days, isSameName, textOf } from '../shared/names.js';

/** A record of LRCLIB, as far as it is used (lrclib.net/docs). */
interface LrclibRecord {
  readonly trackName?: string;
  readonly artistName?: string;
  /** Seconds. */
  readonly duration?: number;
  readonly instrumental?: boolean;
  readonly plainLyrics?: string | null;
  readonly syncedLyrics?: string | null;
}

/** Recordings of one song differ by so much. */
const LENGTH_SLACK_MS = 3000;

const addressOf = (base: string, { title, artist, album, durationMs }: SongQuery): string => {
  const url = new URL('/api/get', base);
  url.searchParams.set('track_name', title);
  url.searchParams.set('artist_name', artist ?? '');
  if (album !== undefined) url.searchParams.set('album_name', album);
  // The service takes a song of the same length, two seconds more or less.
  if (durationMs !== undefined) url.searchParams.set('duration', String(Math.round(durationMs / 1000)));
  return url.href;
};

/** The same song of another album or with another spelling, as long as it is as long. */
const searched = async (
  { settings, fetchJson }: PluginTools,
  { title, artist, durationMs }: SongQuery,
): Promise<LrclibRecord | undefined> => {
  if (durationMs === undefined) return undefined;
  const url = new URL('/api/search', settings['url']);
  url.searchParams.set('track_name', title);
  url.searchParams.set('artist_name', artist ?? '');
  const found = (await fetchJson<readonly LrclibRecord[]>({ url: url.href, keepMs: days(7) })) ?? [];
  const fits = ({ duration, trackName, artistName }: LrclibRecord): boolean =>
    Math.abs((duration ?? 0) * 1000 - durationMs) <= LENGTH_SLACK_MS &&
    isSameName(trackName ?? '', title) &&
    isSameName(artistName ?? '', artist ?? '');
  const fitting = found.filter(fits);
  return fitting.find(({ syncedLyrics }) => textOf(syncedLyrics) !== undefined) ?? fitting[0];
};

const find = async (tools: PluginTools, song: SongQuery): Promise<FoundLyrics | undefined> => {
  if (textOf(song.artist) === undefined || song.title === '') return undefined;
  const exact = await tools.fetchJson<LrclibRecord>({ url: addressOf(tools.settings['url'] as string, song), keepMs: days(7) });
  const record = exact ?? (await searched(tools, song));
  if (!record) return undefined;
  if (record.instrumental === true) return { instrumental: true };
  const plain = textOf(record.plainLyrics);
  const synced = textOf(record.syncedLyrics);
  return plain === undefined && synced === undefined ? undefined : { plain, synced };
};

/** Words of songs from LRCLIB, a service that needs no key. */
export default definePlugin({
  apiVersion: 1,
  name: 'lrclib',
  title: 'LRCLIB',
  version: '1.0.0',
  sends: 'Title, artist, album and length of a song whose lyrics are asked for and not stored, to lrclib.net.',
  settings: { url: { about: 'Address of the service', default: 'https://lrclib.net', isAddress: true } },
  pace: { everyMs: 250 },
  start: (tools) => ({ lyrics: { find: (song) => find(tools, song) } }),
});
