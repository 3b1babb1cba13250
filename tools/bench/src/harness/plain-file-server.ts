import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The yardstick of streaming, in a process of its own. */
export interface PlainFileServer {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts the plainest file server that Node can be, over one file. */
export const startPlainFileServer = async (path: string): Promise<PlainFileServer> => {
  const program = fileURLToPath(new URL('../benchmarks/file-server.js', import.meta.url));
  const child = spawn(process.execPath, [program, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const stop = async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { url: `http://127.0.0.1:${line.toString().trim()}`, pid: child.pid ?? 0, stop };
};
