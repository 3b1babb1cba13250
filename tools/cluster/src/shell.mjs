import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { environment } from './config.mjs';

/**
 * Runs a program to its end.
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, input?: string, show?: boolean }} [options] `show`: its output goes to ours as well
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
export const attempt = (program, args, { cwd, env, input, show = false } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...environment, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'])
      child[name].on('data', (chunk) => {
        output[name] += chunk;
        if (show) process.stderr.write(chunk);
      });
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code: code ?? 128, signal, ...output }));
    // A program that does not read what it is given is told apart by its exit code.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
  });

/** Runs a program and returns its output. @throws Error with its output when it fails */
export const run = async (program, args, options) => {
  const { code, stdout, stderr } = await attempt(program, args, options);
  if (code !== 0) throw new Error(`${program} ${args.slice(0, 4).join(' ')} ended with ${code}: ${stderr.trim().slice(-2000)}`);
  return stdout.trim();
};

/**
 * Asks again and again until something comes.
 * @param {string} what named when the time is over
 * @param {() => Promise<unknown>} ask a failure counts as "not yet"
 */
export const until = async (what, ask, { limitMs = 300_000, everyMs = 500 } = {}) => {
  const end = Date.now() + limitMs;
  let last;
  for (;;) {
    try {
      const answer = await ask();
      if (answer) return answer;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`${what}: not within ${limitMs / 1000} s`, { cause: last });
    await sleep(everyMs);
  }
};

/** A line of what is being done. */
export const say = (text) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
