import type { FoundLyrics } from '../../api/lyrics.js';
import type { SongQuery } from '../../api/metadata.js';
import { definePlugin, type PluginTools } from '../../api/plugin.js';

/** A record of LRCLIB, as far as it is used (lrclib.net/docs). */
interface LrclibRecord {
  readonly instrumental?: boolean;
  readonly plainLyrics?: string | null;
  readonly syncedLyrics?: string | null;
}

const WEEK_MS = 7 * 86_400_000;

const addressOf = (base: string, { title, artist, album, durationMs }: SongQuery): string => {
  const url = new URL('/api/get', base);
  url.searchParams.set('track_name', title);
  url.searchParams.set('artist_name', artist ?? '');
  if (album !== undefined) url.searchParams.set('album_name', album);
  // The service takes a song of the same length, two seconds more or less.
  if (durationMs !== undefined) url.searchParams.set('duration', String(Math.round(durationMs / 1000)));
  return url.href;
};

const find = async ({ settings, fetchJson }: PluginTools, song: SongQuery): Promise<FoundLyrics | undefined> => {
  if (song.artist === undefined || song.artist === '' || song.title === '') return undefined;
  const record = await fetchJson<LrclibRecord>({ url: addressOf(settings['url'] as string, song), keepMs: WEEK_MS });
  if (!record) return undefined;
  if (record.instrumental === true) return { instrumental: true };
  const plain = record.plainLyrics ?? undefined;
  const synced = record.syncedLyrics ?? undefined;
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
