import { projectEach, type Projection } from '@continuo/chassis';
import type { CatalogGroupCatalogTable, CatalogGroupEvent, CatalogGroupTable, UserCatalogGroupTable } from '@continuo/contracts';

interface Tables {
  catalog_group: CatalogGroupTable;
  catalog_group_catalog: CatalogGroupCatalogTable;
  user_catalog_group: UserCatalogGroupTable;
}

const ddl = [
  'create table catalog_group (id integer primary key, name text not null)',
  'create table catalog_group_catalog (group_id integer not null, catalog_id integer not null, primary key (group_id, catalog_id))',
  'create table user_catalog_group (user_id integer primary key, group_id integer not null)',
  'create index user_catalog_group_by_group on user_catalog_group (group_id)',
];

/** The groups of catalogs of the read model, and who belongs to which. */
export const catalogGroupsProjection: Projection<Tables> = {
  name: 'social-catalog-groups',
  version: 1,
  context: 'social',
  publishedSchema: 'social',
  publishes: ['catalog_group', 'catalog_group_catalog', 'user_catalog_group'],
  ddl,
  ...projectEach<CatalogGroupEvent, Tables>({
    CatalogGroupAdded: ({ data: { groupId, name } }, db) => [
      db
        .insertInto('catalog_group')
        .values({ id: groupId, name })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ name })),
    ],
    CatalogGroupRenamed: ({ data }, db) => [db.updateTable('catalog_group').set({ name: data.name }).where('id', '=', data.groupId)],
    CatalogGroupFilled: ({ data: { groupId, catalogIds } }, db) => {
      const emptied = db.deleteFrom('catalog_group_catalog').where('group_id', '=', groupId);
      const rows = catalogIds.map((id) => ({ group_id: groupId, catalog_id: id }));
      return rows.length === 0 ? [emptied] : [emptied, db.insertInto('catalog_group_catalog').values(rows)];
    },
    CatalogGroupRemoved: ({ data }, db) => [
      db.deleteFrom('catalog_group_catalog').where('group_id', '=', data.groupId),
      db.deleteFrom('catalog_group').where('id', '=', data.groupId),
    ],
    CatalogGroupJoined: ({ data: { userId, groupId } }, db) => {
      if (groupId === null) return [db.deleteFrom('user_catalog_group').where('user_id', '=', userId)];
      const insert = db.insertInto('user_catalog_group').values({ user_id: userId, group_id: groupId });
      return [insert.onConflict((conflict) => conflict.column('user_id').doUpdateSet({ group_id: groupId }))];
    },
  }),
};
