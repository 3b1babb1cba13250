import { spawnSync } from 'node:child_process';

/** Runs a program to its end and answers its output. @throws Error with what it complained about */
export function run(program, args, { cwd, env } = {}) {
  const settings = env ? { ...process.env, ...env } : process.env; // oxlint-disable-line node/no-process-env -- the programs' own
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env: settings,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (error) throw new Error(`${program} cannot be run`, { cause: error });
  if (status !== 0) throw new Error(`${program} ${args[0]} ended with ${status}: ${stderr.trim()}`);
  return stdout;
}
