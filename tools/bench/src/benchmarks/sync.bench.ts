import { formatCount } from '@continuo/operations';
import { CompatClient } from '../harness/compat-client.js';
import type { StandaloneProcess } from '../harness/standalone-process.js';
import { watchPeak, withCpu } from '../measure/memory.js';
import type { Measurement } from '../measure/report.js';
import { summarise } from '../measure/stats.js';

/** Songs, albums or artists of one page: what the clients that copy libraries ask for. */
const PAGE = 500;

/** Requests that a client has under way while it asks for one artist or album after the other. */
const SIDE_BY_SIDE = 4;

type Kind = 'song' | 'album' | 'artist';
type Parameters = Readonly<Record<string, string | number>>;

/** Measurement of one way of copying the library. */
interface Copy {
  readonly requestTimesMs: number[];
  bytes: number;
  /** Ids of the things that came, by kind: what comes twice counts once. */
  readonly ids: Readonly<Record<Kind, Set<string>>>;
}

const emptyCopy = (): Copy => ({ requestTimesMs: [], bytes: 0, ids: { song: new Set(), album: new Set(), artist: new Set() } });

const ownIds = { song: /"id":"(so-\d+)"/g, album: /"id":"(al-\d+)"/g, artist: /"id":"(ar-\d+)"/g } as const satisfies Record<Kind, RegExp>;

/** Makes a call, keeps the ids of one kind, and answers those of them that came for the first time. */
const fetchIds = async (client: CompatClient, copy: Copy, kind: Kind, call: readonly [endpoint: string, parameters: Parameters]) => {
  const chunks: Buffer[] = [];
  const answer = await client.http.get(client.path(...call), { onChunk: (chunk) => chunks.push(chunk) });
  const text = Buffer.concat(chunks).toString('utf8');
  if (answer.status !== 200 || !text.includes('"status":"ok"'))
    throw new Error(`${call[0]} answered ${answer.status}: ${text.slice(0, 300)}`);
  copy.requestTimesMs.push(answer.totalMs);
  copy.bytes += answer.bodyBytes;
  const fresh: string[] = [];
  for (const [, id = ''] of text.matchAll(ownIds[kind])) {
    if (copy.ids[kind].has(id)) continue;
    copy.ids[kind].add(id);
    fresh.push(id);
  }
  return fresh;
};

/** As Symfonium copies: `search3` for nothing, the counter of one kind set and the others zero, page after page. */
const bySearch = async (client: CompatClient, copy: Copy): Promise<void> => {
  for (const kind of ['artist', 'album', 'song'] as const) {
    const counts = { artistCount: 0, albumCount: 0, songCount: 0, [`${kind}Count`]: PAGE };
    for (let offset = 0; ; offset += PAGE) {
      const fresh = await fetchIds(client, copy, kind, ['search3', { query: '""', ...counts, [`${kind}Offset`]: offset }]);
      if (fresh.length === 0) break;
    }
  }
};

const eachOf = async (ids: readonly string[], step: (id: string) => Promise<unknown>): Promise<void> => {
  const rest = ids.values();
  const worker = async (): Promise<void> => {
    for (const id of rest) await step(id);
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
};

/** As clients without that search copy: all artists, then every artist, then every album. */
const byArtists = async (client: CompatClient, copy: Copy): Promise<void> => {
  const artists = await fetchIds(client, copy, 'artist', ['getArtists', {}]);
  const albums: string[] = [];
  await eachOf(artists, async (id) => albums.push(...(await fetchIds(client, copy, 'album', ['getArtist', { id }]))));
  await eachOf(albums, (id) => fetchIds(client, copy, 'song', ['getAlbum', { id }]));
};

/** As Strawberry copies: pages of albums by name, then every album. */
const byAlbums = async (client: CompatClient, copy: Copy): Promise<void> => {
  const albums: string[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = { type: 'alphabeticalByName', size: PAGE, offset };
    const fresh = await fetchIds(client, copy, 'album', ['getAlbumList2', page]);
    if (fresh.length === 0) break;
    albums.push(...fresh);
  }
  await eachOf(albums, (id) => fetchIds(client, copy, 'song', ['getAlbum', { id }]));
};

const ways = { 'search3 for nothing': bySearch, 'getArtists, getArtist, getAlbum': byArtists, 'getAlbumList2, getAlbum': byAlbums };

const measureWay = async (
  server: StandaloneProcess,
  client: CompatClient,
  label: keyof typeof ways,
  songs: number,
): Promise<Measurement[]> => {
  const copy = emptyCopy();
  const before = await watchPeak(server.pid)();
  const peak = watchPeak(server.pid, 50);
  const started = performance.now();
  const { cpuMs } = await withCpu(server.pid, () => ways[label](client, copy));
  const seconds = (performance.now() - started) / 1000;
  const after = await peak();
  const { count, p50, p95, max } = summarise(copy.requestTimesMs);
  const { song, album, artist } = copy.ids;
  const came = `${formatCount(song.size)} songs, ${formatCount(album.size)} albums, ${formatCount(artist.size)} artists`;
  return [
    { what: label, value: seconds, unit: 's', note: song.size === songs ? came : `${came}: of ${formatCount(songs)} songs` },
    {
      what: `${label}, requests`,
      value: count,
      unit: '',
      note: `p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)}, longest ${max.toFixed(0)} ms`,
    },
    { what: `${label}, size`, value: copy.bytes / 1e6, unit: 'MB' },
    {
      what: `${label}, processor`,
      value: cpuMs / 1000,
      unit: 's',
      note: `${formatCount(Math.round(songs / (cpuMs / 1000)))} songs per second of it`,
    },
    {
      what: `${label}, growth of the server process`,
      value: (after - before) / 1024 ** 2,
      unit: 'MB',
      note: `from ${Math.round(before / 1024 ** 2)} MB`,
    },
  ];
};

/** Copies the whole library over the compatibility API in the ways that its clients do. */
export const measureSync = async (server: StandaloneProcess, songs: number): Promise<Measurement[]> => {
  const client = new CompatClient(server);
  try {
    const measurements: Measurement[] = [];
    for (const label of Object.keys(ways) as (keyof typeof ways)[]) measurements.push(...(await measureWay(server, client, label, songs)));
    return measurements;
  } finally {
    client.close();
  }
};
