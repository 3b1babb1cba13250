import type { Auth } from '../../auth/index.js';
import { viewerOf } from '../../reads/visibility/viewer.js';
import type { SeenByAccount } from '../../search/index.js';
import { userId } from '@continuo/contracts';
import { RunningSmartlists, type SmartlistDependencies } from './running-smartlists.js';

export type { RunningSmartlists, SongsWanted } from './running-smartlists.js';
export { firstArtOf, smartlistRecord, smartlistRecords, smartlistsAfter, type SmartlistRecord } from './smartlist.reads.js';
export * from './smartlists.js';

/** Runs smartlists: fresh each time, kept by {@link SmartlistDependencies.searches} for as long as nothing changes. */
export const createSmartlists = (parts: SmartlistDependencies): RunningSmartlists => new RunningSmartlists(parts);

/** Returns what accounts may see, disabled ones included: their lists stay as they are. */
export const seenByAccounts =
  (auth: Pick<Auth, 'account'>): SeenByAccount =>
  async (id) => {
    const account = await auth.account(userId.parse(id));
    return account && viewerOf(account);
  };
