import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { equal, noneOf, type Finding } from '../checks/finding.js';
import { checkDeadLetters, checkRebuild } from '../checks/rebuild.js';
import type { Links } from '../cluster/cluster.js';
import { readLog } from '../log/read-log.js';

const run = promisify(execFile);

/** The projection of batches, and its stream. */
export const BATCHES = { projection: 'transcoding-batches', stream: 'EV_TRANSCODE' } as const;

/** By which a worker says that a folder is its own. */
const SIGN_OF_LIFE = 'in-use';
const KEY = /^[0-9a-f]{64}$/;
/** Tolerance of lengths, seconds. */
const LENGTH_TOLERANCE = 0.2;

/** Contents of the workers' caches. */
export interface CacheContents {
  /** Paths of finished transcodes. */
  readonly finished: readonly string[];
  /** Files that are neither finished nor being made by anybody. */
  readonly leftOver: readonly string[];
}

/** Looks into caches whose workers make nothing at the moment. */
export const cacheContents = async (folders: readonly string[]): Promise<CacheContents> => {
  const files: string[] = [];
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    files.push(...entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)));
  }
  const finished = files.filter((file) => KEY.test(basename(file)));
  const leftOver = files.filter((file) => !KEY.test(basename(file)) && basename(file) !== SIGN_OF_LIFE);
  return { finished, leftOver };
};

const lengthOf = async (file: string): Promise<number> => {
  const { stdout } = await run('ffmpeg', ['-nostdin', '-i', file, '-f', 'null', '-progress', 'pipe:1', '-loglevel', 'error', '-']);
  return Number(/out_time_us=(\d+)(?![\s\S]*out_time_us)/.exec(stdout)?.[1] ?? 0) / 1e6;
};

/** Every finished file is whole. */
export const checkWhole = async (files: readonly string[], seconds: number): Promise<Finding> => {
  const short: string[] = [];
  for (const file of files) {
    const length = await lengthOf(file);
    if (Math.abs(length - seconds) > LENGTH_TOLERANCE) short.push(`${basename(file).slice(0, 8)} lasts ${length.toFixed(2)} s`);
  }
  return noneOf('finished transcodes that are not whole', short, `none of ${files.length}`);
};

const checkLog = async (links: Links, items: number): Promise<Finding[]> => {
  const seen = new Map<string, number>();
  for await (const { type, data } of readLog(links.nats, BATCHES.stream)) {
    if (type !== 'TranscodeItemEnded') continue;
    const key = `${String(data['batchId']).slice(0, 8)}.${String(data['index'])}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  return [
    equal('media of all batches = media that are done with', seen.size, items),
    noneOf(
      'media that are done with twice',
      [...seen].filter(([, times]) => times > 1).map(([key]) => key),
    ),
  ];
};

const checkTables = async ({ db }: Links): Promise<Finding[]> => {
  const { rows } = await sql<{ id: string; state: string; items: number; made: number; present: number; failed: number }>`
    select id, state, items, made, present, failed from transcoding.batch`.execute(db);
  return [
    noneOf(
      'batches that are not finished',
      rows.filter(({ state }) => state !== 'finished').map(({ id, state }) => `${id.slice(0, 8)} is ${state}`),
      `none of ${rows.length}`,
    ),
    noneOf(
      'batches with another sum than media',
      rows.filter((one) => one.made + one.present + one.failed !== one.items).map(({ id }) => id.slice(0, 8)),
    ),
    noneOf(
      'batches with failures',
      rows.filter(({ failed }) => failed > 0).map(({ id, failed }) => `${id.slice(0, 8)}: ${failed}`),
    ),
  ];
};

/** Everything that must hold for the log and the tables of batches, whatever happened to them. */
export const checkBatches = async (links: Links, items: number): Promise<Finding[]> => [
  ...(await checkLog(links, items)),
  ...(await checkTables(links)),
  await checkDeadLetters(links.nats),
  await checkRebuild(links.nats, BATCHES.projection),
];
