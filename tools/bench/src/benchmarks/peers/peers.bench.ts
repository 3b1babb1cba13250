import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateFiles, type FormatName, type LibraryShape } from '@continuo/media-fixtures';
import { undoAtEnd } from '../../harness/clean-up.js';
import { startLoadGenerator } from '../../measure/load.js';
import { loadNow, writeResult } from '../../measure/report.js';
import { startProduct } from './product-process.js';
import { continuo, gonic, navidrome, type Product } from './products.js';
import { measureKind } from './request-times.js';
import { requestKinds, sampleLibrary } from './requests.js';
import { measureScans } from './scanning.js';
import { comparisonPicture, comparisonTable, measurementsOf, peerRows, type Cell, type ServerColumn } from './table.js';
import { warmUpFiles } from './warm-up-files.js';

/** Options of a comparison with other servers. */
export interface PeersOptions {
  /** Programs of the peers; those without are left out. */
  readonly navidrome?: string;
  readonly gonic?: string;
  /** Own files in place of generated ones. */
  readonly music?: string;
  /** Number of generated files. */
  readonly files: number;
  /** Time of each request's measurement. */
  readonly seconds: number;
  readonly out: string;
  readonly print: (line: string) => void;
}

const FORMATS: readonly FormatName[] = ['mp3', 'flac', 'ogg', 'opus', 'm4a'];
const SHAPE: LibraryShape = { songsPerAlbum: 10, albumsPerArtist: 1, art: 'folder' };
/** Time without requests is so many times that of a request's measurement. */
const IDLE_TIMES = 10;

const LEGEND = `Requests: p50 of one client. In brackets: processor time of all processes for each file or request; memory (Pss) of all processes
afterwards, at its highest in the first scan. Times better: than the better peer, in brackets by processor time.`;

/** The result of a measurement; undefined, and a printed line, when it fails: the others go on. */
const orReport = async <T>(measured: Promise<T>, what: string, print: PeersOptions['print']): Promise<T | undefined> => {
  try {
    return await measured;
  } catch (error) {
    print(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
};

const measureProduct = async (
  product: Product,
  music: string,
  { seconds, print }: PeersOptions,
): Promise<ServerColumn & { songs: number }> => {
  const server = await startProduct(product, music);
  const load = startLoadGenerator();
  try {
    const { songs, cells: scans } = await measureScans(server, IDLE_TIMES * seconds * 1000);
    const cells = new Map<string, Cell>([...Object.entries(scans), ['firstCpu', { value: scans.first.cpuMs ?? 0 }]]);
    const job = { server, load, sample: await sampleLibrary(server.client, songs), durationMs: seconds * 1000 };
    for (const kind of requestKinds) {
      const measured = await orReport(measureKind(job, kind), `${product.name}, ${kind.key}`, print);
      for (const [key, cell] of measured ?? []) cells.set(key, cell);
    }
    print(`${product.name} ${server.version}: ${songs} songs.`);
    return { name: `${product.name} ${server.version}`, cells, songs };
  } finally {
    load.stop();
    await server.stop();
  }
};

const musicFolder = async ({ music, files, print }: PeersOptions): Promise<{ folder: string; remove: () => Promise<void> }> => {
  if (music !== undefined) {
    await warmUpFiles(music);
    return { folder: music, remove: () => Promise.resolve() };
  }
  const work = await mkdtemp(join(tmpdir(), 'continuo-bench-music-'));
  const remove = undoAtEnd(() => rm(work, { recursive: true, force: true }));
  const folder = join(work, 'files');
  print(`Generating ${files} files …`);
  await generateFiles({ out: folder, count: files, formats: FORMATS, seed: 1, flat: false, shape: SHAPE });
  return { folder, remove };
};

/** Measures each server alone on the same files and prints the comparison; without peers, ours alone. */
export const comparePeers = async (options: PeersOptions): Promise<void> => {
  const { print } = options;
  const { folder, remove } = await musicFolder(options);
  try {
    const columns: ServerColumn[] = [];
    for (const peer of [options.navidrome && navidrome(options.navidrome), options.gonic && gonic(options.gonic)]) {
      if (!peer) continue;
      const column = await orReport(measureProduct(peer, folder, options), peer.name, print);
      if (column) columns.push(column);
    }
    const ours = await measureProduct(continuo, folder, options);
    columns.push(ours);
    const rows = peerRows(ours.songs);
    print(`\n${comparisonTable(rows, columns)}\n`);
    print(`${LEGEND} Load of the machine at the end: ${loadNow().toFixed(1)}.`);
    await writeResult(options.out, { benchmark: 'peers', measurements: measurementsOf(rows, columns) }, Date.now());
    if (columns.length > 1) await writeFile(join(options.out, 'peers.svg'), comparisonPicture(rows, columns, ours.songs));
  } finally {
    await remove();
  }
};
