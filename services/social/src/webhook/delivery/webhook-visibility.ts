import { builtInPreferences, type ReadModel } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import type { EventViewer, PrivacySwitch } from '@continuo/public-events';

const ADMINISTRATOR = 100;
/** The server's own values stand under this account. */
const SERVER = 0;

/** An operator who is no account: sees what administrators see, and nothing that people keep private. */
const operator: EventViewer = { userId: null, level: ADMINISTRATOR, catalogs: 'all' };

/** With whose visibility webhooks see, as of now. */
export interface WebhookVisibility {
  /** Undefined for an account that is disabled or gone, which sees nothing any more. */
  viewer(userId: number | null): Promise<EventViewer | undefined>;
  /** True when an account lets others see such activities; false for one that is disabled or deleted. */
  shows(userId: number, unless: PrivacySwitch): Promise<boolean>;
}

const preferenceOf = (name: PrivacySwitch): { readonly id: number; readonly default: string } => {
  const found = builtInPreferences.find((one) => one.name === name);
  if (!found) throw new Error(`there is no preference ${name}`);
  return found;
};

/** Reads accounts, groups of catalogs and preferences from the tables that this service keeps. */
export const postgresWebhookVisibility = (untyped: Kysely<unknown>): WebhookVisibility => {
  const db = untyped as Kysely<ReadModel>;
  return {
    viewer: async (userId) => {
      if (userId === null) return operator;
      const user = await db.selectFrom('social.user').select(['access', 'disabled']).where('id', '=', userId).executeTakeFirst();
      if (!user || user.disabled) return undefined;
      const group = await db.selectFrom('social.user_catalog_group').select('group_id').where('user_id', '=', userId).executeTakeFirst();
      if (!group) return { userId, level: user.access, catalogs: 'all' };
      const rows = await db
        .selectFrom('social.catalog_group_catalog')
        .select('catalog_id')
        .where('group_id', '=', group.group_id)
        .execute();
      return { userId, level: user.access, catalogs: rows.map((row) => row.catalog_id) };
    },
    shows: async (userId, unless) => {
      const preference = preferenceOf(unless);
      const { rows } = await sql<{ shown: boolean }>`
        select coalesce(
          (select p.value from social.user_preference p where p.user_id = u.id and p.preference_id = ${preference.id}),
          (select p.value from social.user_preference p where p.user_id = ${SERVER} and p.preference_id = ${preference.id}),
          ${preference.default}) = '1' as shown
        from social."user" u where u.id = ${userId} and not u.disabled`.execute(db);
      return rows[0]?.shown ?? false;
    },
  };
};
