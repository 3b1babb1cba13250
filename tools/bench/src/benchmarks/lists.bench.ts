import { formatCount } from '@continuo/operations';
import { CompatClient } from '../harness/compat-client.js';
import { NativeClient } from '../harness/native-client.js';
import type { StandaloneProcess } from '../harness/standalone-process.js';
import type { Measurement } from '../measure/report.js';
import { timedInTurn, type Summary } from '../measure/stats.js';
import { browsingCalls } from './browsing-calls.js';

/** Items of one page, the most that the budget speaks of. */
const PAGE = 500;
const RUNS = { times: 30, warmUps: 5 };

/** One call by its label, made again and again; `round` varies where in the list it starts. */
type Call = (round: number) => Promise<unknown>;

/** Where a page starts that lies in another tenth of the list in each round. */
const deep = (round: number, total: number): number => Math.floor((total * ((round + 10) % 10)) / 10);

const nativeCalls = async (native: NativeClient, songs: number): Promise<Record<string, Call>> => {
  const genres = await native.json<{ genre: { id: string }[] }>('genres', { limit: 1 });
  const artists = await native.json<{ artist: { id: string }[] }>('artists', { limit: 1 });
  const genre = genres.genre[0]?.id ?? '1';
  const artist = artists.artist[0]?.id ?? '1';
  return {
    'songs, first page': () => native.call('songs', { limit: PAGE }),
    'songs, anywhere': (round) => native.call('songs', { limit: PAGE, offset: deep(round, songs) }),
    'albums, first page': () => native.call('albums', { limit: PAGE }),
    'albums, anywhere': (round) => native.call('albums', { limit: PAGE, offset: deep(round, songs / 12) }),
    'artists, first page': () => native.call('artists', { limit: PAGE }),
    genres: () => native.call('genres', { limit: PAGE }),
    labels: () => native.call('labels', { limit: PAGE }),
    licenses: () => native.call('licenses', { limit: PAGE }),
    'songs by plays': () => native.call('songs', { limit: PAGE, sort: 'total_count,DESC' }),
    'songs by rating': () => native.call('songs', { limit: PAGE, sort: 'rating,DESC' }),
    'songs never played': () => native.call('songs', { limit: PAGE, cond: 'unplayed,1' }),
    'songs that are no favourites': () => native.call('songs', { limit: PAGE, cond: 'user_flag,0' }),
    'songs by year, newest first': () => native.call('songs', { limit: PAGE, sort: 'year,DESC' }),
    'albums by plays': () => native.call('albums', { limit: PAGE, sort: 'total_count,DESC' }),
    'artists by plays': () => native.call('artists', { limit: PAGE, sort: 'total_count,DESC' }),
    genre_albums: () => native.call('genre_albums', { filter: genre, limit: PAGE }),
    genre_artists: () => native.call('genre_artists', { filter: genre, limit: PAGE }),
    genre_songs: () => native.call('genre_songs', { filter: genre, limit: PAGE }),
    artist_songs: () => native.call('artist_songs', { filter: artist, limit: PAGE }),
    search_songs: (round) => native.call('search_songs', { filter: 'abcdefgh'.charAt((round + 8) % 8) + 'a', limit: PAGE }),
  };
};

const compatCalls = (compat: CompatClient, songs: number): Record<string, Call> => ({
  'getAlbumList2 newest': () => compat.call('getAlbumList2', { type: 'newest', size: PAGE }),
  'getAlbumList2 random': () => compat.call('getAlbumList2', { type: 'random', size: PAGE }),
  'getAlbumList2 by name': (round) =>
    compat.call('getAlbumList2', { type: 'alphabeticalByName', size: PAGE, offset: ((round + 10) % 10) * 70 }),
  getRandomSongs: () => compat.call('getRandomSongs', { size: PAGE }),
  search3: (round) =>
    compat.call('search3', { query: 'bcdfghjk'.charAt((round + 8) % 8) + 'o', songCount: 100, albumCount: 50, artistCount: 50 }),
  'search3 of everything, first page': () => compat.call('search3', { query: '', songCount: PAGE, albumCount: 0, artistCount: 0 }),
  'search3 of everything, anywhere': (round) =>
    compat.call('search3', { query: '', songCount: PAGE, songOffset: deep(round, songs), albumCount: 0, artistCount: 0 }),
});

/** Times of every list by its label. */
export type ListTimes = ReadonlyMap<string, Summary | Error>;

/** A running server and the size of its library. */
export interface SizedServer {
  readonly server: StandaloneProcess;
  readonly songs: number;
}

interface SizedCalls {
  readonly songs: number;
  readonly calls: Readonly<Record<string, Call>>;
  readonly close: () => void;
}

const connect = async ({ server, songs }: SizedServer): Promise<SizedCalls> => {
  const native = await NativeClient.login(server);
  const compat = new CompatClient(server);
  const close = (): void => {
    native.close();
    compat.close();
  };
  const browsing = await browsingCalls(native, { page: PAGE, songs });
  return { songs, calls: { ...(await nativeCalls(native, songs)), ...browsing, ...compatCalls(compat, songs) }, close };
};

/** The same page from every server in turn. @throws Error when one answers an error. */
const timeLabel = (servers: readonly SizedCalls[], label: string): Promise<Summary[]> =>
  timedInTurn(
    servers.map(
      ({ calls }) =>
        (round) =>
          calls[label]?.(round) ?? Promise.resolve(),
    ),
    RUNS,
  );

/** Asks for a page of each list at every size. A list that answers an error is reported as such and does not stop the others. */
export const measureLists = async (sized: readonly SizedServer[]): Promise<Map<number, ListTimes>> => {
  const servers: SizedCalls[] = [];
  const times = new Map(sized.map(({ songs }) => [songs, new Map<string, Summary | Error>()]));
  try {
    for (const server of sized) servers.push(await connect(server));
    for (const label of Object.keys(servers[0]?.calls ?? {})) {
      const taken = await timeLabel(servers, label).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
      for (const [index, { songs }] of servers.entries()) {
        times.get(songs)?.set(label, taken instanceof Error ? taken : (taken[index] ?? new Error('not measured')));
      }
    }
  } finally {
    for (const { close } of servers) close();
  }
  return times;
};

/** Times of the same page at several library sizes, each against the smallest. */
export const compareSizes = (bySize: ReadonlyMap<number, ListTimes>): Measurement[] => {
  const sizes = [...bySize.keys()].toSorted((a, b) => a - b);
  const smallest = sizes[0] ?? 0;
  const labels = [...(bySize.get(smallest)?.keys() ?? [])];
  return labels.flatMap((label) =>
    sizes.flatMap((size) => pageMeasurements(label, size, bySize.get(size)?.get(label), bySize.get(smallest)?.get(label))),
  );
};

/** Pages that are faster than this at any size need no comparison: the clock and the scheduler decide. */
const UNDISPUTED_MS = 5;

const pageMeasurements = (
  label: string,
  size: number,
  times: Summary | Error | undefined,
  base: Summary | Error | undefined,
): Measurement[] => {
  const what = `${label}, ${formatCount(size)} songs`;
  if (!times || times instanceof Error)
    return [{ what, value: Number.NaN, unit: 'ms', budget: { atMost: 50 }, note: times?.message ?? 'not measured' }];
  const page: Measurement = {
    what: `${what}, p95`,
    value: times.p95,
    unit: 'ms',
    budget: { atMost: 50 },
    note: `p50 ${times.p50.toFixed(1)}`,
  };
  if (!base || base instanceof Error || base === times) return [page];
  const ratio = Math.max(times.p50, UNDISPUTED_MS) / Math.max(base.p50, UNDISPUTED_MS);
  return [page, { what: `${what}, p50 against the smallest`, value: ratio, unit: '×', budget: { atMost: 2 } }];
};
