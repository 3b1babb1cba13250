import { openFilesOf } from '@continuo/bench';
import { readFile } from 'node:fs/promises';

/** Resources used by the server's process. */
export interface Footprint {
  readonly memoryMib: number;
  readonly files: number;
  readonly sockets: number;
}

/** Looks at a process. Linux only; elsewhere nothing is known, and everything 0. */
export const footprintOf = async (pid: number): Promise<Footprint> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const { files, sockets } = await openFilesOf([pid]);
  return { memoryMib: Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024), files: files.length, sockets };
};
