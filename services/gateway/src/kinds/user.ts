import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { byColumns, type FilterRow, type ListSource } from '../reads/lists/list-query.js';
import { containsFilter, idFilter, idsFilter, switchFilter, textFilters } from '../reads/lists/text-filters.js';
import type { Viewer } from '../reads/visibility/viewer.js';
import type { Kind } from './kind.js';

// Nobody may find out by asking what no answer shows: addresses and private names are searched and ordered only for their owner and administrators.
const visible = (viewer: Viewer, column: RawBuilder<string>, isPublic: RawBuilder<SqlBool>): RawBuilder<string> =>
  viewer.isAdministrator
    ? sql<string>`coalesce(${column}, '')`
    : sql<string>`case when t.id = ${viewer.userId} or ${isPublic} then coalesce(${column}, '') else '' end`;
const fullName = (viewer: Viewer) => visible(viewer, sql`t.full_name`, sql`t.full_name_public`);
const email = (viewer: Viewer) => visible(viewer, sql`t.email`, sql`false`);

const sortedBy = (text: (viewer: Viewer) => RawBuilder<string>) => ({
  columns: (viewer: Viewer) => [sql`lower(${text(viewer)}) collate "C"`],
});
const containing = (text: (viewer: Viewer) => RawBuilder<string>): FilterRow => ({
  where: (value, viewer) => containsFilter(text(viewer)).where?.(value, viewer),
});
/** Every text filter asks for the user name, the full name and the address in one, each on a line of its own. */
const anyName = (name: string): FilterRow => ({
  ...textFilters({ name: sql`t.username` })[name],
  where: (value, viewer) => {
    const asked = [sql<string>`t.username`, fullName(viewer), email(viewer)].flatMap(
      (text) => textFilters({ name: text })[name]?.where?.(value, viewer) ?? [],
    );
    if (asked.length === 0) return undefined;
    return sql<SqlBool>`(${sql.join(asked, name.includes('not_') ? sql` and ` : sql` or `)})`;
  },
});
const plain = (column: RawBuilder<unknown>) => byColumns(sql`lower(coalesce(${column}, '')) collate "C"`);
const username = byColumns(sql`t.username_key collate "C"`);

const source: ListSource = { from: sql`social."user" t`, visible: () => sql<SqlBool>`not t.disabled` };

/** Accounts that are not disabled; administrators may ask for the disabled ones. */
export const user = {
  source,
  list: {
    shuffled: true,
    volatile: true,
    from: source.from,
    visible: (viewer) => (viewer.isAdministrator ? sql<SqlBool>`true` : sql<SqlBool>`not t.disabled`),
    presets: [{ name: 'disabled', value: '0' }],
    filters: {
      ...Object.fromEntries(Object.keys(textFilters({ name: sql`t.username` })).map((name) => [name, anyName(name)])),
      id: idsFilter(sql`t.id`),
      name: anyName('like'),
      username: containsFilter(sql`t.username`),
      fullname: containing(fullName),
      email: containing(email),
      access: idFilter((level) => sql<SqlBool>`t.access = ${level}::bigint`),
      disabled: switchFilter((on) => sql<SqlBool>`t.disabled = ${on}`),
    },
    sorts: {
      id: byColumns(),
      username,
      access: byColumns(sql`t.access`),
      create_date: byColumns(sql`t.created_at_ms`),
      disabled: byColumns(sql`t.disabled`),
      email: sortedBy(email),
      fullname: sortedBy(fullName),
      fullname_public: byColumns(sql`t.full_name_public`),
      city: plain(sql`t.city`),
      state: plain(sql`t.state`),
      website: plain(sql`t.website`),
    },
  },
} satisfies Kind;
