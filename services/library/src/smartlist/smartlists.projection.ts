import { projectEach, type Projection } from '@continuo/chassis';
import { foldName, given, type SmartlistEvent, type SmartlistTable, type SmartlistTerms } from '@continuo/contracts';
import { sql } from 'kysely';

interface Tables {
  smartlist: SmartlistTable;
}

const ddl = [
  `create table smartlist (
    id bigint primary key, owner_id bigint, name text not null, name_sort text collate "C" not null, is_public boolean not null,
    collaborator_ids bigint[] not null, created_at_ms bigint not null, updated_at_ms bigint not null,
    rules text not null, logic text not null, is_random boolean not null, song_limit bigint not null, revision bigint not null,
    last_count bigint not null, last_duration_ms bigint not null, last_run_at_ms bigint)`,
  'create index smartlist_by_name on smartlist (name_sort, id)',
  'create index smartlist_by_owner on smartlist (owner_id, id)',
  'create index smartlist_by_collaborator on smartlist using gin (collaborator_ids)',
];

type Changed = Partial<SmartlistTerms>;

/** The columns of what was named; what was not named stays. */
const changedColumns = ({ name, ownerId, isPublic, collaboratorIds, rules, logic, isRandom, limit }: Changed): Partial<SmartlistTable> => ({
  ...(name === undefined ? {} : { name, name_sort: foldName(name) }),
  ...given({ owner_id: ownerId, is_public: isPublic, collaborator_ids: collaboratorIds }),
  ...(rules === undefined ? {} : { rules: JSON.stringify(rules) }),
  ...given({ logic, is_random: isRandom, song_limit: limit }),
});

/** True when other songs may be found than before. */
const findsOthers = ({ ownerId, rules, logic, isRandom, limit }: Changed): boolean =>
  [ownerId, rules, logic, isRandom, limit].some((term) => term !== undefined);

/** The smartlists. What they find is not kept: it is asked each time. */
export const smartlistsProjection: Projection<Tables> = {
  name: 'library-smartlists',
  version: 2,
  context: 'library',
  publishedSchema: 'library',
  publishes: ['smartlist'],
  ddl,
  ...projectEach<SmartlistEvent, Tables>({
    SmartlistCreated: ({ data, at }, db) => [
      db.insertInto('smartlist').values({
        id: data.smartlistId,
        owner_id: data.ownerId,
        name: data.name,
        name_sort: foldName(data.name),
        is_public: data.isPublic,
        collaborator_ids: data.collaboratorIds,
        created_at_ms: at,
        updated_at_ms: at,
        rules: JSON.stringify(data.rules),
        logic: data.logic,
        is_random: data.isRandom,
        song_limit: data.limit,
        revision: 0,
        last_count: 0,
        last_duration_ms: 0,
        last_run_at_ms: null,
      }),
    ],
    SmartlistChanged: ({ data, at }, db) => [
      db
        .updateTable('smartlist')
        .set({ ...changedColumns(data), updated_at_ms: at, ...(findsOthers(data) ? { revision: sql`revision + 1` } : {}) })
        .where('id', '=', data.smartlistId),
    ],
    SmartlistCounted: ({ data }, db) => [
      db
        .updateTable('smartlist')
        .set({ last_count: data.songCount, last_duration_ms: data.durationMs, last_run_at_ms: data.countedAtMs })
        .where('id', '=', data.smartlistId),
    ],
    SmartlistDeleted: ({ data }, db) => [db.deleteFrom('smartlist').where('id', '=', data.smartlistId)],
  }),
};
