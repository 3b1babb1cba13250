import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { hasCode } from '../files.js';

const run = promisify(execFile);
const linux = process.platform === 'linux';

/** Whether a process with this id exists and has not ended (a zombie has ended). */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (hasCode(error, 'EPERM')) return true;
    if (hasCode(error, 'ESRCH')) return false;
    throw error;
  }
  return !linux || (await statFields(pid))?.[0] !== 'Z';
}

/**
 * A text that names one process for as long as the machine is up: its id and when it started.
 * Ids are handed out again, start times are not. Undefined when there is no such process.
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (!(await isAlive(pid))) return undefined;
  const startedAt = linux ? (await statFields(pid))?.[19] : await ps(pid, 'lstart=');
  return startedAt === undefined ? undefined : `${pid} ${startedAt}`;
}

/** The command line of a process, arguments separated by blanks; undefined when it is gone or not ours to see. */
export async function commandLine(pid: number): Promise<string | undefined> {
  if (!linux) return ps(pid, 'command=');
  const raw = await ifThere(readFile(`/proc/${pid}/cmdline`, 'utf8'));
  return raw?.replaceAll('\0', ' ').trim();
}

/** The working directory of a process (Linux only); undefined when it is gone, not ours to see, or on other systems. */
export async function workingDirectory(pid: number): Promise<string | undefined> {
  return linux ? ifThere(readlink(`/proc/${pid}/cwd`)) : undefined;
}

/** Waits until a process has ended. Answers false when it is still there after the given milliseconds. */
export async function hasEnded(pid: number, withinMs: number): Promise<boolean> {
  const until = Date.now() + withinMs;
  while (await isAlive(pid)) {
    if (Date.now() > until) return false;
    await sleep(10);
  }
  return true;
}

/** Sends a signal; answers false when the process was gone already. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (hasCode(error, 'ESRCH')) return false;
    throw error;
  }
}

/** Fields of /proc/<pid>/stat from the state on; the command name before them may hold blanks and is cut off. */
async function statFields(pid: number): Promise<string[] | undefined> {
  const stat = await ifThere(readFile(`/proc/${pid}/stat`, 'utf8'));
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

async function ps(pid: number, column: string): Promise<string | undefined> {
  try {
    const { stdout } = await run('ps', ['-o', column, '-p', String(pid)]);
    return stdout.trim() || undefined;
  } catch (error) {
    // ps ends with 1 when no process matches; anything else (no ps at all) must not pass for "gone".
    if (error instanceof Error && 'code' in error && error.code === 1) return undefined;
    throw error;
  }
}

async function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return undefined;
    throw error;
  }
}
