import { readFile, stat } from 'node:fs/promises';
import { OperatorError } from '../../connect/operator-error.js';
import { readManifest } from '../format/manifest.js';

/**
 * Accounts that were deleted, as told by a file with a number on each line (what `continuo backup deletions` prints), or by a newer backup's folder.
 * @throws OperatorError when it is neither
 */
export const readDeletions = async (path: string): Promise<readonly number[]> => {
  const found = await stat(path).catch((cause: unknown) => {
    throw new OperatorError(
      `${path} cannot be read`,
      'name the file that "continuo backup deletions" has written, or the folder of a newer backup',
      { cause },
    );
  });
  if (found.isDirectory()) return (await readManifest(path)).deletedAccounts;
  const numbers = (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return numbers.map((line) => {
    const number = Number(line.trim());
    if (!Number.isSafeInteger(number) || number < 1)
      throw new OperatorError(`${path} has a line that is no number of an account: ${line.slice(0, 40)}`);
    return number;
  });
};
