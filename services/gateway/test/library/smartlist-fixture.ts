import type { InMemoryCommandClient } from '@continuo/chassis/testkit';
import {
  changeSmartlist,
  countSmartlist,
  createSmartlist,
  deleteSmartlist,
  smartlistId,
  sortKey,
  type ReadModel,
  type SmartlistRule,
  type SmartlistTable,
} from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { FIRST_LISTED_MS } from './playlist-fixture.js';

const MINUTE_MS = 60_000;

/** Answers the commands about smartlists and changes nothing. */
export const withSmartlists = (commands: InMemoryCommandClient): InMemoryCommandClient =>
  commands
    .handle(createSmartlist, async ({ data }) => ({ result: { smartlistId: smartlistId.parse(2), name: data.name }, positions: [] }))
    .handle(changeSmartlist, async ({ data: { smartlistId: _, ...terms } }) => ({
      result: { isChanged: Object.keys(terms).length > 0 },
      positions: [],
    }))
    .handle(countSmartlist, async () => ({ result: {}, positions: [] }))
    .handle(deleteSmartlist, async () => ({ result: {}, positions: [] }));

/** Writes a smartlist into a read model of a test, as the projection of the library would. */
export const insertSmartlist = async (
  db: Kysely<ReadModel>,
  row: Pick<SmartlistTable, 'id' | 'name'> & Partial<SmartlistTable>,
  rules: readonly SmartlistRule[],
): Promise<void> => {
  const madeAtMs = FIRST_LISTED_MS + row.id * MINUTE_MS;
  const usual: Omit<SmartlistTable, 'id' | 'name' | 'name_sort'> = {
    owner_id: 1,
    is_public: false,
    collaborator_ids: [],
    created_at_ms: madeAtMs,
    updated_at_ms: madeAtMs + MINUTE_MS,
    rules: JSON.stringify(rules),
    logic: 'and',
    is_random: false,
    song_limit: 0,
    revision: 0,
    last_count: 0,
    last_duration_ms: 0,
    last_run_at_ms: null,
  };
  await db
    .insertInto('library.smartlist')
    .values({ name_sort: sortKey(row.name), ...usual, ...row })
    .execute();
};

/** A public list of two songs, one that is random but finds one song, a private one of the second account, and one of the system that finds nothing. */
export const seedSmartlists = async (db: Kysely<ReadModel>): Promise<void> => {
  await insertSmartlist(db, { id: 1, name: 'Watches & <openings>', is_public: true, collaborator_ids: [2], logic: 'or' }, [
    ['title', 'contain', 'watch', null],
    ['title', 'start', 'opening', null],
  ]);
  await insertSmartlist(db, { id: 2, name: 'By chance', is_random: true, song_limit: 3 }, [['id', 'equal', '1', null]]);
  await insertSmartlist(db, { id: 3, name: 'Mine', owner_id: 2 }, [['smartplaylist', 'equal', '1', null]]);
  await insertSmartlist(db, { id: 4, name: 'Overture', owner_id: null, is_public: true }, [['title', 'equal', 'nothing like this', null]]);
};
