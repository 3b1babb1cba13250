import { ApiError } from './api.js';

/** Codes of what is turned off, does not exist, cannot be asked, or is not allowed. */
const REFUSALS = new Set(['4703', '4704', '4710', '4742']);

/** The answer; undefined when the server refuses it to this account. @throws when it cannot be asked now */
export const unlessRefused = async <T>(asking: Promise<T>): Promise<T | undefined> => {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof ApiError && REFUSALS.has(error.code)) return undefined;
    throw error;
  }
};
