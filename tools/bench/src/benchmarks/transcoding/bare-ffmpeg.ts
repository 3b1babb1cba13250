import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { processTree } from '../../measure/memory.js';

const LOOKS = 200;
const LOOK_MS = 10;
/** As much as workers yield by default. */
const NICENESS = '5';

const commandOf = async (pid: number): Promise<string[]> => {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return text.split('\0').slice(0, -1);
};

const isConversion = ([program = '', ...args]: readonly string[]): boolean => /(^|\/)ffmpeg$/.test(program) && args.includes('-c:a');

/** Process ids of the ffmpeg of a server. */
export const runningFfmpeg = async (root: number): Promise<number[]> => {
  const pids = await processTree(root);
  const commands = await Promise.all(pids.map(async (pid) => ({ pid, command: await commandOf(pid) })));
  return commands.filter(({ command }) => isConversion(command)).map(({ pid }) => pid);
};

/** With which arguments the server's ffmpeg run, each with a path in it, as they are running. @throws Error when fewer come up */
export const argumentsInUse = async (root: number, count: number): Promise<string[][]> => {
  for (let look = 0; look < LOOKS; look += 1) {
    const commands = await Promise.all((await runningFfmpeg(root)).map(commandOf));
    if (commands.length >= count) return commands.map(([, ...args]) => args);
    await delay(LOOK_MS);
  }
  throw new Error('the server runs no ffmpeg');
};

/** Runs ffmpeg with these arguments, with nothing around it, its output thrown away. @throws Error when it fails */
export const runBare = async (args: readonly string[]): Promise<void> => {
  // In a session of its own, as the server is: Linux divides busy processors among sessions first.
  const child = spawn('nice', ['-n', NICENESS, 'ffmpeg', ...args], { stdio: ['ignore', 'ignore', 'inherit'], detached: true });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the bare ffmpeg ended with ${code}`);
};
