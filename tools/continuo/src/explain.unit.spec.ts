import { readFile, statfs } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { explainError } from './explain.js';

const faultOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('what the person at the terminal reads', () => {
  it('of a file that cannot be used is one sentence, without a stack', async () => {
    const gone = await faultOf(readFile('/nowhere/at all'));
    expect(explainError(gone)).toEqual(["Error: ENOENT: no such file or directory, open '/nowhere/at all'."]);
  });

  it('of a disk that is full or closed to the account has a remedy', async () => {
    const fault = await faultOf(statfs('/nowhere'));
    for (const code of ['EACCES', 'EROFS', 'ENOSPC'])
      expect(explainError(Object.assign(fault as Error, { code }))[1]).toMatch(/^Remedy: .*place/);
  });

  it('of a fault of the program has its stack', () => {
    expect(explainError(new TypeError('x is no function')).join('\n')).toMatch(/^Unexpected: TypeError: x is no function\n +at /);
  });
});
