import { definePlugin, type PluginTools } from '../../api/plugin.js';
import type { SonicMatch, SonicSong } from '../../api/sonic.js';

/** A song as AudioMuse-AI answers it; what a release of it leaves out is absent. */
interface Track {
  readonly item_id?: unknown;
  readonly distance?: unknown;
  readonly embedding_vector?: unknown;
}

/** Songs have the ids there that they have in the compatibility API, by which it reads the library. */
const PREFIX = 'so-';
const itemIdOf = ({ songId }: SonicSong): string => `${PREFIX}${songId}`;
const songIdOf = (item: unknown): number | undefined => {
  const number = typeof item === 'string' && item.startsWith(PREFIX) ? Number(item.slice(PREFIX.length)) : Number.NaN;
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
};

/** An answer is good for so long: songs are analysed there about once a day. */
const KEEP_MS = 600_000;
const MAX_BYTES = 8 * 1024 * 1024;
/** Fewer than two songs are no way, and more than these are never answered. */
const PATH_STEPS = { least: 2, most: 200 } as const;

const ask = async (
  { settings, fetch }: PluginTools,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<object | undefined> => {
  const url = new URL(path, (settings['url'] ?? '').replace(/\/*$/, '/'));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const token = settings['token'];
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { status, body } = await fetch({ url: url.href, headers, keepMs: KEEP_MS, maxBytes: MAX_BYTES });
  // It does not know the song, or no way between both.
  if (status === 404) return undefined;
  if (status < 200 || status > 299) throw new Error(`AudioMuse-AI answered ${status}`);
  return JSON.parse(new TextDecoder().decode(body)) as object;
};

const numbers = (value: unknown): number[] | undefined =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'number' && Number.isFinite(one)) ? value : undefined;

/** 0 for the same direction, 1 for none in common, 2 for the opposite. */
const angularDistance = (a: readonly number[], b: readonly number[]): number | undefined => {
  if (a.length !== b.length) return undefined;
  const dot = a.reduce((sum, value, n) => sum + value * (b[n] ?? 0), 0);
  const lengths = Math.hypot(...a) * Math.hypot(...b);
  return lengths > 0 ? Math.max(0, 1 - dot / lengths) : undefined;
};

const matchOf = (track: Track, start: number[] | undefined): SonicMatch | undefined => {
  const songId = songIdOf(track.item_id);
  if (songId === undefined) return undefined;
  if (typeof track.distance === 'number') return { songId, distance: Math.max(0, track.distance) };
  const vector = numbers(track.embedding_vector);
  const distance = start && vector ? angularDistance(start, vector) : undefined;
  // A negative one says that it is not known.
  return { songId, distance: distance ?? -1 };
};

const matchesOf = (tracks: unknown): SonicMatch[] => {
  const all = Array.isArray(tracks) ? (tracks as readonly (Track | null)[]).filter((track) => track !== null) : [];
  const start = numbers(all[0]?.embedding_vector);
  return all.flatMap((track) => matchOf(track, start) ?? []);
};

const similar = async (tools: PluginTools, song: SonicSong, count: number): Promise<SonicMatch[] | undefined> => {
  const query = { item_id: itemIdOf(song), n: String(count), eliminate_duplicates: tools.settings['eliminateDuplicates'] ?? 'true' };
  const answer = await ask(tools, 'api/similar_tracks', query);
  return answer === undefined ? undefined : matchesOf(answer);
};

const path = async (tools: PluginTools, from: SonicSong, to: SonicSong, count: number): Promise<SonicMatch[] | undefined> => {
  const steps = Math.min(PATH_STEPS.most, Math.max(PATH_STEPS.least, count));
  const query = { start_song_id: itemIdOf(from), end_song_id: itemIdOf(to), max_steps: String(steps) };
  const answer = await ask(tools, 'api/find_path', query);
  if (answer === undefined) return undefined;
  const found = matchesOf('path' in answer ? answer.path : undefined);
  return found.map((match, n) => (n === 0 ? { ...match, distance: 0 } : match));
};

/** Sounds compared by an AudioMuse-AI server that analyses this library over its compatibility API. */
export default definePlugin({
  apiVersion: 1,
  name: 'audiomuse',
  title: 'AudioMuse-AI',
  version: '1.0.0',
  sends: 'The number of a song whose like is asked for, to the AudioMuse-AI server of the setting url.',
  settings: {
    url: { about: 'Address of the AudioMuse-AI server, such as http://10.0.3.7:8000', required: true, isAddress: true },
    token: { about: 'What it wants to be shown, when it asks for something', secret: true },
    eliminateDuplicates: { about: 'Whether songs of the same name and artist are left out: true or false', default: 'true' },
  },
  start: (tools) => ({
    sonic: {
      form: 'remote',
      similar: ({ song, count }) => similar(tools, song, count),
      path: ({ from, to, count }) => path(tools, from, to, count),
    },
  }),
});
