import { realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLine, isAlive, workingDirectory } from '../child/process-table.js';
import { endStale } from '../child/server-process.js';
import { readIfPresent } from '../files.js';

/** Parsed `postmaster.pid`. */
export interface PostmasterFile {
  readonly pid: number;
  /** It answers; a standby answers reads. */
  readonly ready: boolean;
}

const ANSWERING: ReadonlySet<string | undefined> = new Set(['ready', 'standby']);

/** Reads `postmaster.pid`: the first line is the process id, the eighth its state. */
export async function readPostmasterFile(dataDir: string): Promise<PostmasterFile | undefined> {
  const lines = (await readIfPresent(join(dataDir, 'postmaster.pid')))?.split('\n');
  const pid = Number.parseInt(lines?.[0] ?? '', 10);
  return Number.isInteger(pid) && pid > 1 ? { pid, ready: ANSWERING.has(lines?.[7]?.trim()) } : undefined;
}

/**
 * Clears what an earlier run left: ends a server that still works on this very folder, and removes a lock file
 * whose process id now belongs to something else (Postgres would refuse to start because of it).
 * Call only while holding the claim on the folder.
 */
export async function clearLeftOvers(dataDir: string): Promise<void> {
  const noted = await readPostmasterFile(dataDir);
  if (!noted || !(await isAlive(noted.pid))) return; // Postgres copes with a dead one by itself.
  if (await servesFolder(noted.pid, dataDir)) await endStale('Postgres', noted.pid, 'SIGINT');
  else await rm(join(dataDir, 'postmaster.pid'), { force: true });
}

async function servesFolder(pid: number, dataDir: string): Promise<boolean> {
  const command = (await commandLine(pid)) ?? '';
  if (!command.includes('postgres')) return false;
  return command.includes(dataDir) || (await workingDirectory(pid)) === (await realpath(dataDir));
}
