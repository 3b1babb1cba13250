import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * A digest of what is heard of a file: of all its samples as they are decoded.
 * @param program ffmpeg; a bare name is looked up in `PATH`
 * @throws Error when the file cannot be decoded to its end
 */
export const soundDigest = async (program: string, path: string, timeoutMs: number): Promise<string> => {
  const input = ['-hide_banner', '-loglevel', 'error', '-nostdin', '-xerror', '-protocol_whitelist', 'file', '-i', `file:${path}`];
  const { stdout } = await run(program, [...input, '-map', '0:a:0', '-f', 'md5', '-'], { timeout: timeoutMs, killSignal: 'SIGKILL' });
  return stdout.trim();
};
