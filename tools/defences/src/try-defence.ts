import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Defence } from './defence.js';
import { runSpec } from './run-spec.js';

/** Outcome of removing one defence. */
export interface Trial {
  readonly defence: Defence;
  /** `noticed`: a test failed. `unnoticed`: all passed. `invalid`: the text is not there once, or nothing could be tested. */
  readonly verdict: 'noticed' | 'unnoticed' | 'invalid';
  /** The first test that failed, or what was wrong. */
  readonly by: string;
}

/** The text without the defence; undefined when it does not stand there exactly once. */
export const taken = (text: string, { find, replace }: Pick<Defence, 'find' | 'replace'>): string | undefined => {
  const at = text.indexOf(find);
  if (find === '' || at === -1 || text.includes(find, at + 1)) return undefined;
  return text.slice(0, at) + replace + text.slice(at + find.length);
};

/** Takes a defence out of a copy of the repository, runs its spec, and puts it back. */
export const tryDefence = async (root: string, defence: Defence): Promise<Trial> => {
  const path = join(root, defence.file);
  const text = await readFile(path, 'utf8');
  const open = taken(text, defence);
  if (open === undefined) return { defence, verdict: 'invalid', by: 'its text does not stand in the file once' };
  await writeFile(path, open);
  try {
    const { failed, broken, passed } = await runSpec(root, { ...defence, stopsAtFirst: true });
    const [first] = failed;
    if (first !== undefined) return { defence, verdict: 'noticed', by: first };
    if (broken !== undefined) return { defence, verdict: 'invalid', by: broken.split('\n')[0] ?? '' };
    return { defence, verdict: passed === 0 ? 'invalid' : 'unnoticed', by: passed === 0 ? 'no test ran' : `${passed} tests passed` };
  } finally {
    await writeFile(path, text);
  }
};
