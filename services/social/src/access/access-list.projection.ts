import { projectEach, type Projection } from '@continuo/chassis';
import type { AccessListEvent, AccessRuleTable } from '@continuo/contracts';

interface Tables {
  access_rule: AccessRuleTable;
}

const ddl = [
  `create table access_rule (
    id integer primary key,
    name text not null,
    level integer not null,
    user_id integer,
    type text not null,
    start_address text not null,
    end_address text not null,
    enabled boolean not null
  )`,
];

/** The access list of the read model. */
export const accessListProjection: Projection<Tables> = {
  name: 'social-access-list',
  version: 2,
  context: 'social',
  publishedSchema: 'social',
  publishes: ['access_rule'],
  ddl,
  ...projectEach<AccessListEvent, Tables>({
    AccessRuleAdded: ({ data }, db) => {
      const row = {
        name: data.name,
        level: data.level,
        user_id: data.userId,
        type: data.type,
        start_address: data.startAddress,
        end_address: data.endAddress,
        enabled: data.enabled,
      };
      const insert = db.insertInto('access_rule').values({ id: data.ruleId, ...row });
      return [insert.onConflict((conflict) => conflict.column('id').doUpdateSet(row))];
    },
    AccessRuleSwitched: ({ data }, db) => [db.updateTable('access_rule').set({ enabled: data.enabled }).where('id', '=', data.ruleId)],
    AccessRuleRemoved: ({ data }, db) => [db.deleteFrom('access_rule').where('id', '=', data.ruleId)],
  }),
};
