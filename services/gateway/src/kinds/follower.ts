import { sql, type SqlBool } from 'kysely';
import { byColumns } from '../reads/lists/list-query.js';
import { idFilter, idOrNoneFilter } from '../reads/lists/text-filters.js';
import type { Kind } from './kind.js';

/**
 * Accounts that follow an account. `user` is the one that is followed, and without it there is nothing to list. Accounts that are
 * disabled are not shown.
 */
export const follower = {
  list: {
    volatile: true,
    from: sql`(
      select u.id, f.followed_id, f.followed_at_ms, u.username_key, u.created_at_ms
      from social.follow f join social."user" u on u.id = f.user_id where not u.disabled
    ) t`,
    visible: () => sql<SqlBool>`true`,
    presets: [{ name: 'user', value: '0' }],
    filters: {
      user: idOrNoneFilter(
        (id) => sql<SqlBool>`t.followed_id = ${id}::bigint`,
        () => sql<SqlBool>`false`,
      ),
      follow_user: idFilter((id) => sql<SqlBool>`t.id = ${id}::bigint`),
    },
    sorts: {
      create_date: byColumns(sql`t.created_at_ms`),
      follow_date: byColumns(sql`t.followed_at_ms`),
      follow_user: byColumns(),
      user: byColumns(sql`t.followed_id`),
      username: byColumns(sql`t.username_key collate "C"`),
    },
  },
} satisfies Kind;
