import type { AggregateRunner } from '@continuo/chassis';
import type { AccountSecrets } from './account-secrets.js';
import type { AccountsInView } from './accounts-in-view.js';
import type { UserIds } from './user-ids.js';

/** What the handlers of accounts work with. */
export interface AccountTools {
  readonly aggregates: AggregateRunner;
  readonly secrets: AccountSecrets;
  readonly userIds: UserIds;
  /** What the read model knows of accounts. */
  readonly accounts: AccountsInView;
}
