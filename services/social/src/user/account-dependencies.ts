import type { AggregateRunner } from '@continuo/chassis';
import type { AccountSecrets } from './account-secrets.js';
import type { AccountReads } from './account-reads.js';
import type { UserIds } from './user-ids.js';

/** Dependencies of the handlers of accounts. */
export interface AccountDependencies {
  readonly aggregates: AggregateRunner;
  readonly secrets: AccountSecrets;
  readonly userIds: UserIds;
  /** Largest number of API keys of an account. */
  readonly mostApiKeys: number;
  /** Reads accounts from the read model. */
  readonly accounts: AccountReads;
}
