import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const FAILED = '"msg":"command failed"';

interface Failed {
  readonly err?: { readonly message?: string; readonly code?: unknown; readonly stack?: string };
}

/** Collects internal errors of commands from the logs of a run: each reason once, with its source. */
export const unexpectedFailures = async (home: string): Promise<readonly string[]> => {
  const reasons = new Set<string>();
  for (const name of (await readdir(home)).filter((file) => file.endsWith('.log'))) {
    const lines = (await readFile(join(home, name), 'utf8')).split('\n').filter((line) => line.includes(FAILED));
    for (const line of lines) reasons.add(`${name}: ${reasonOf(line)}`);
  }
  return [...reasons];
};

const reasonOf = (line: string): string => {
  const { err } = JSON.parse(line) as Failed;
  const from = err?.stack?.split('\n').find((frame) => frame.includes('/services/'));
  return `${err?.message ?? line} (${String(err?.code)})${from ?? ''}`;
};
