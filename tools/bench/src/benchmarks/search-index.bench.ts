import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@continuo/chassis';
import { formatCount, formatDuration } from '@continuo/operations';
import { startPostgres } from '@continuo/local-servers';
import type { Kysely } from 'kysely';
import { randomFor } from '@continuo/media-fixtures';
import { PostgresSearchIndex, PostgresSearchWriter, type SearchDocument } from '@continuo/search-index';
import { undoAtEnd } from '../harness/clean-up.js';
import { postgresCpu, type CpuClock } from '../measure/postgres-cpu.js';
import type { Measurement } from '../measure/report.js';
import { summarise, timed, type Summary } from '../measure/stats.js';
import { searchDocuments } from './search-documents.js';

const BATCH = 5000;
/** Page that a client shows while a user types. */
const PAGE = { offset: 0, limit: 20 };
const TYPED_BUDGET_MS = 50;
/** Number of names typed letter by letter. */
const TYPED_NAMES = 60;
const CHANGED = 1000;
const CONNECTIONS = 4;
const APPLICATION = 'continuo-bench';

interface Filled {
  readonly rows: number;
  readonly writeMs: number;
  readonly swapMs: number;
  /** Some of what is in the index, to be looked for. */
  readonly sample: readonly SearchDocument[];
}

const fill = async (writer: PostgresSearchWriter, songs: number): Promise<Filled> => {
  await writer.prepare();
  const rebuild = await writer.beginRebuild();
  const every = Math.max(1, Math.floor(songs / 12 / TYPED_NAMES));
  const sample: SearchDocument[] = [];
  let [rows, albums] = [0, 0];
  let batch: SearchDocument[] = [];
  const started = performance.now();
  for (const documents of searchDocuments(songs)) {
    batch.push(...documents);
    const [first] = documents;
    if (albums % every === 0 && first) sample.push(first);
    albums += 1;
    if (batch.length < BATCH) continue;
    await rebuild.write({ upserts: batch });
    rows += batch.length;
    batch = [];
  }
  await rebuild.write({ upserts: batch });
  const written = performance.now();
  await rebuild.swap({ epoch: 'bench', position: 1, version: 1 });
  return { rows: rows + batch.length, writeMs: written - started, swapMs: performance.now() - written, sample };
};

/** Search text for an object: its name, or its artist and its name. */
const typedText = ({ name, artists = [] }: SearchDocument, withArtist: boolean): string =>
  `${withArtist ? `${artists[0] ?? ''} ` : ''}${name}`.toLowerCase().slice(0, 24);

/** Exchanges two letters in the middle. */
const misspelt = (text: string): string => {
  const at = Math.floor(text.length / 2);
  return `${text.slice(0, at)}${text[at + 1] ?? ''}${text[at] ?? ''}${text.slice(at + 2)}`;
};

/** Times of searches, on the wall and of Postgres alone. */
interface Typed {
  readonly wall: Summary;
  readonly cpu: Summary;
}

interface Typist {
  readonly index: PostgresSearchIndex;
  readonly cpu: CpuClock;
}

const typing = async ({ index, cpu }: Typist, texts: readonly string[], catalogs: 'all' | readonly number[] = 'all'): Promise<Typed> => {
  const [wall, taken]: [number[], number[]] = [[], []];
  const pages = { song: PAGE, album: PAGE, artist: PAGE };
  for (const text of texts) {
    const [started, before] = [performance.now(), await cpu()];
    await index.search({ text, pages, catalogs, viewerId: 1 });
    wall.push(performance.now() - started);
    taken.push((await cpu()) - before);
  }
  return { wall: summarise(wall), cpu: summarise(taken) };
};

const typingMeasurements = async (typist: Typist, sample: readonly SearchDocument[], label: string): Promise<Measurement[]> => {
  const names = sample.map((document, place) => typedText(document, place % 2 === 1));
  const letters = names.flatMap((name) => Array.from({ length: name.length }, (_, end) => name.slice(0, end + 1)));
  const cases: [string, readonly string[], 'all' | readonly number[]][] = [
    ['one letter', 'abcdefghiklmnoprstuvwz'.split(''), 'all'],
    ['two letters', [...new Set(letters.filter((text) => text.length === 2))], 'all'],
    ['every letter of a name', letters, 'all'],
    ['the same in one catalog of four', letters.filter((_, place) => place % 4 === 0), [2]],
    ['whole names, misspelt', names.map(misspelt), 'all'],
  ];
  const measured: Measurement[] = [];
  for (const [what, texts, catalogs] of cases) {
    const { wall, cpu } = await typing(typist, texts, catalogs);
    const note = `p50 ${wall.p50.toFixed(1)}, max ${wall.max.toFixed(0)}, ${wall.count} searches`;
    measured.push({ what: `typing ${what}, ${label}, p95`, value: wall.p95, unit: 'ms', budget: { atMost: TYPED_BUDGET_MS }, note });
    const spent = `p50 ${cpu.p50.toFixed(1)}, max ${cpu.max.toFixed(0)}`;
    measured.push({ what: `typing ${what}, ${label}, CPU of Postgres, p95`, value: cpu.p95, unit: 'ms', note: spent });
  }
  return measured;
};

/** Opens all connections and lets each read the system's tables, which the first search of a connection does. */
const typistOver = async (db: Kysely<unknown>): Promise<Typist> => {
  const index = new PostgresSearchIndex(db);
  const pages = { song: PAGE, album: PAGE, artist: PAGE };
  const all = Array.from({ length: CONNECTIONS }, () => index.search({ text: 'warm', pages, catalogs: 'all', viewerId: 1 }));
  await Promise.all(all);
  return { index, cpu: await postgresCpu(db, APPLICATION) };
};

const changes = async (writer: PostgresSearchWriter, sample: readonly SearchDocument[]): Promise<Summary> => {
  const random = randomFor(2, 'changes');
  let position = 1;
  return timed(
    async () => {
      position += 1;
      const upserts = Array.from({ length: CHANGED }, (_, n): SearchDocument => ({ ...random.pick(sample), id: 1 + n * 7 }));
      const songs = upserts.filter(({ kind }) => kind === 'song');
      await writer.apply({ upserts: songs }, { epoch: 'bench', position, version: 1 });
    },
    { times: 5, warmUps: 1 },
  );
};

/** Fills an index in a Postgres of its own, types into it, and changes it. */
export const measureSearchIndex = async (songs: number): Promise<Measurement[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'continuo-bench-search-'));
  const removeFolder = undoAtEnd(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') });
  const stop = undoAtEnd(() => postgres.stop());
  const db = openDatabase({ url: postgres.url, poolSize: CONNECTIONS, applicationName: APPLICATION });
  try {
    const writer = new PostgresSearchWriter(db);
    const label = `${formatCount(songs)} songs`;
    const { rows, writeMs, swapMs, sample } = await fill(writer, songs);
    const note = `written ${formatDuration(writeMs)}, swapped ${formatDuration(swapMs)}`;
    const built: Measurement = { what: `build, ${label}`, value: rows / ((writeMs + swapMs) / 1000), unit: 'rows/s', note };
    const typed = await typingMeasurements(await typistOver(db), sample, label);
    const changed = await changes(writer, sample);
    return [built, ...typed, { what: `change ${formatCount(CHANGED)} songs, ${label}, p95`, value: changed.p95, unit: 'ms' }];
  } finally {
    await db.destroy();
    await stop();
    await removeFolder();
  }
};
