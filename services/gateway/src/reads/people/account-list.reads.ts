import { usernameKey } from '@continuo/contracts';
import { sql } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import type { VisibleCatalogs } from '../visibility/viewer.js';

/** An account as administrators see it in lists. */
export interface AccountRecord {
  readonly id: number;
  readonly username: string;
  readonly email: string | null;
  readonly access: number;
  readonly disabled: boolean;
  /** Highest bit rate at which it gets media, bit/s; null = no limit. */
  readonly maxBitrateBps: number | null;
  /** The catalogs of its group. */
  readonly catalogs: VisibleCatalogs;
}

/** JSON of {@link AccountRecord.catalogs}: everything without a group, else what the group holds. */
const catalogsOfAccount = sql<VisibleCatalogs>`coalesce(
  (select coalesce(jsonb_agg(c.catalog_id order by c.catalog_id) filter (where c.catalog_id is not null), '[]'::jsonb)
    from social.user_catalog_group m left join social.catalog_group_catalog c on c.group_id = m.group_id where m.user_id = u.id
    having count(m.user_id) > 0), '"all"'::jsonb)`;

const accounts = (db: ReadDatabase) =>
  db
    .selectFrom('social.user as u')
    .select(['u.id', 'u.username', 'u.email', 'u.access', 'u.disabled'])
    .select('u.max_bitrate_bps as maxBitrateBps')
    .select(catalogsOfAccount.as('catalogs'));

/** All accounts, by name. */
export const allAccounts = (db: ReadDatabase): Promise<AccountRecord[]> => accounts(db).orderBy('u.username_key').execute();

/** The account of a name, in any letter case. */
export const accountNamed = (db: ReadDatabase, username: string): Promise<AccountRecord | undefined> =>
  accounts(db).where('u.username_key', '=', usernameKey(username)).executeTakeFirst();

/** Whether there is a group of catalogs of this number. */
export const catalogGroupExists = async (db: ReadDatabase, id: number): Promise<boolean> =>
  (await db.selectFrom('social.catalog_group').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
