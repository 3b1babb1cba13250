import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Runs a program to its end and answers `{ code, output }`; never rejects. A program that cannot be run has code 127.
 * `show: true` lets it write to our stderr; otherwise its output is kept for error messages.
 */
export function run(program, args, { cwd, env, show = false, timeoutMs } = {}) {
  return new Promise((resolve) => {
    const stdio = show ? ['ignore', 2, 2] : ['ignore', 'pipe', 'pipe'];
    const child = spawn(program, args, { cwd, env: env ? { ...process.env, ...env } : process.env, stdio, timeout: timeoutMs });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ code: 127, output: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** The last lines of a program's output, for an error message. */
export function tail(output, lines = 5) {
  return output.trim().split('\n').slice(-lines).join('\n');
}

/** All programs of a name in PATH order. */
export function onPath(name) {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, file)).filter(isExecutable);
}

/** Whether the file is there and may be run. */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
