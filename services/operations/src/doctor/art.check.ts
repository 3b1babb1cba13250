import { artConfigOf, openServerArt } from '../art/server-art.js';
import type { Settings } from '../config.js';
import type { Session } from '../connect/session.js';
import { fault, ok, reasonOf, type Finding } from './finding.js';

const SUBJECT = 'Pictures';

/** Pictures can be stored; undefined where they lie in a folder that is not known. */
export const checkArt = async ({ access, nats }: Pick<Session, 'access' | 'nats'>, settings: Settings): Promise<Finding | undefined> => {
  const config = await artConfigOf(settings, access);
  if (config === undefined) return undefined;
  try {
    const store = await openServerArt(config, nats);
    try {
      return ok(SUBJECT, await store.check());
    } finally {
      await store.close();
    }
  } catch (error) {
    return fault(SUBJECT, `cannot be stored: ${reasonOf(error)}`, 'look at ART_STORAGE, and at the permissions there');
  }
};
