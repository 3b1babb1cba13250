import type { AccessRuleTable } from '@continuo/contracts';
import type { ReadDatabase } from '../database/database.js';

/** A row of the access list as administrators see it. */
export interface AccessRuleView {
  readonly id: number;
  readonly name: string;
  readonly type: AccessRuleTable['type'];
  readonly start: string;
  readonly end: string;
  readonly level: number;
  /** Number of the account; null = everybody. */
  readonly user: number | null;
  readonly enabled: boolean;
}

/** The whole access list, oldest row first. */
export const accessRules = (db: ReadDatabase): Promise<AccessRuleView[]> =>
  db
    .selectFrom('social.access_rule as r')
    .select(['r.id', 'r.name', 'r.type', 'r.start_address as start', 'r.end_address as end', 'r.level', 'r.user_id as user', 'r.enabled'])
    .orderBy('r.id')
    .execute();
