import type { CatalogId } from '@continuo/contracts';
import type { Manifest } from '@continuo/media-fixtures';
import { libraryEnd, newCatalog, scanCatalog } from '../harness/library.js';
import type { StandaloneProcess } from '../harness/standalone-process.js';
import { withCpu } from '../measure/memory.js';
import type { Measurement } from '../measure/report.js';

const filesPerSecond = (files: number, startedMs: number): number => files / ((performance.now() - startedMs) / 1000);

/** Counts the library after a scan, to be compared with the manifest. */
const counts = async (
  { session: { db } }: StandaloneProcess,
  catalogId: CatalogId,
): Promise<Pick<Manifest, 'songs' | 'albums' | 'artists' | 'genres'>> => {
  const songs = await db
    .selectFrom('library.song')
    .where('catalog_id', '=', catalogId)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  const albums = await db
    .selectFrom('library.album')
    .where('song_count', '>', 0)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  const artists = await db
    .selectFrom('library.artist')
    .where((eb) => eb.or([eb('song_count', '>', 0), eb('album_count', '>', 0)]))
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  const genres = await db
    .selectFrom('library.genre')
    .where('song_count', '>', 0)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return { songs: songs.n, albums: albums.n, artists: artists.n, genres: genres.n };
};

/** Scans a generated folder for the first time and twice again, and compares what was found with what was generated. */
export const measureScan = async (server: StandaloneProcess, folder: string, manifest: Manifest): Promise<Measurement[]> => {
  const catalogId = await newCatalog(server.session, 'Files', folder);
  let started = performance.now();
  const { cpuMs } = await withCpu(server.pid, () => scanCatalog(server.session, catalogId));
  const first = filesPerSecond(manifest.songs, started);
  const found = await counts(server, catalogId);
  const before = await libraryEnd(server.session);
  await scanCatalog(server.session, catalogId);
  started = performance.now();
  await scanCatalog(server.session, catalogId);
  const again = filesPerSecond(manifest.songs, started);
  const differences = (['songs', 'albums', 'artists', 'genres'] as const).filter((kind) => found[kind] !== manifest[kind]);
  return [
    {
      what: 'first scan, until readable',
      value: first,
      unit: 'files/s',
      budget: { atLeast: 500 },
      note: `${manifest.songs} files, ${Math.round(manifest.sizeBytes / 1e6)} MB, processor ${(cpuMs / manifest.songs).toFixed(2)} ms a file`,
    },
    { what: 'rescan, nothing changed', value: again, unit: 'files/s', budget: { atLeast: 20_000 } },
    { what: 'events of two unchanged rescans', value: (await libraryEnd(server.session)) - before, unit: 'events', budget: { atMost: 0 } },
    {
      what: 'counts that differ from the manifest',
      value: differences.length,
      unit: 'kinds',
      budget: { atMost: 0 },
      note: differences.map((kind) => `${kind} ${found[kind]} instead of ${manifest[kind]}`).join(', '),
    },
  ];
};
