import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { config } from './config.js';

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Absent or not to be executed: not this one.
    return false;
  }
};

/**
 * The path of a program that only tests need: the chosen one when there is one, else the first of that name in PATH. Undefined when it is not there,
 * and tests that need it are skipped.
 */
export const locateProgram = (name: string, chosen: string | undefined): string | undefined =>
  (chosen === undefined ? config.pathFolders.map((folder) => join(folder, name)) : [chosen]).find(isProgram);
