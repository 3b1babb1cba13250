import type { Auth } from '../auth/index.js';
import { viewerOf } from '../reads/viewer.js';
import type { SeenByAccount } from '../search/index.js';
import { userId } from '@continuo/contracts';
import { KeptSmartlists, type RunningSmartlists, type SmartlistParts } from './running-smartlists.js';

export type { RunningSmartlists, SongsWanted } from './running-smartlists.js';
export { firstArtOf, smartlistRecord, smartlistRecords, type SmartlistRecord } from './smartlist.reads.js';
export * from './smartlists.js';

/** Smartlists of one gateway. */
export type Smartlists = RunningSmartlists;

/** Runs smartlists: fresh each time, kept by {@link SmartlistParts.searches} for as long as nothing changes. */
export const createSmartlists = (parts: SmartlistParts): Smartlists => new KeptSmartlists(parts);

/** What accounts see, disabled ones included: their lists stay what they are. */
export const seenByAccounts =
  (auth: Pick<Auth, 'account'>): SeenByAccount =>
  async (id) => {
    const account = await auth.account(userId.parse(id));
    return account && viewerOf(account);
  };
