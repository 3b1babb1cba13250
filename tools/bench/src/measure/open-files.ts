import { readdir, readlink } from 'node:fs/promises';

/** Open files of processes. */
export interface OpenFiles {
  /** Regular files, by path. */
  readonly files: readonly string[];
  readonly pipes: number;
  readonly sockets: number;
  readonly others: number;
}

const targetsOf = async (pid: number): Promise<string[]> => {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
  // It may have been closed since the folder was read.
  return Promise.all(descriptors.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')));
};

const beginning = (targets: readonly string[], start: string): string[] => targets.filter((target) => target.startsWith(start));

/** Descriptors of some processes. Linux only. */
export const openFilesOf = async (pids: readonly number[]): Promise<OpenFiles> => {
  const targets = (await Promise.all(pids.map(targetsOf))).flat().filter((target) => target !== '');
  const files = beginning(targets, '/');
  const [pipes, sockets] = [beginning(targets, 'pipe:').length, beginning(targets, 'socket:').length];
  return { files, pipes, sockets, others: targets.length - files.length - pipes - sockets };
};
