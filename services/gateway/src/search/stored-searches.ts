import type { SmartlistRule } from '@continuo/contracts';
import { sql } from 'kysely';
import type { ReadDatabase } from '../reads/database/database.js';
import { rightsOf, type ListTerms } from '../reads/visibility/playlist-access.js';
import type { Viewer, VisibleCatalogs } from '../reads/visibility/viewer.js';
import { badSearch } from './faults.js';
import { ruleNamed, type SearchType } from './search-types.js';
import type { Logic, SearchRule } from './rule.js';
import { smartlistOperand } from './smartlist-operand.js';

/** A search for songs that somebody keeps: a smartlist, as far as it decides what it finds. */
export interface StoredSearch extends ListTerms {
  readonly id: number;
  readonly rules: readonly SearchRule[];
  readonly logic: Logic;
  /** In another order each time; with a limit another choice, too. */
  readonly isRandom: boolean;
  /** The most songs; 0 = all. */
  readonly limit: number;
}

/** Returns what an account may see; undefined for an unknown one. */
export type SeenByAccount = (id: number) => Promise<Pick<Viewer, 'catalogs' | 'isAdministrator'> | undefined>;

/** The smartlists that rules speak of, and for whom each is run. */
export interface StoredSearches {
  /** The list, when the viewer may open it. */
  readonly list: (id: number, viewer: Viewer) => StoredSearch | undefined;
  /** Returns the viewer that a list runs as: its owner, limited to what the viewer may see, too. */
  readonly ownerOf: (list: StoredSearch, viewer: Viewer) => Viewer;
  /** Tells what these lists are apart from what they were. */
  readonly version: string;
}

/** Owner id of lists without an owner: no account has it. */
const NOBODY = 0;
/** A list that refers to more lists than this, over as many steps, is refused. */
const MAX_LISTS = 50;
const SMARTLIST_RULE = 'smartplaylist';

const common = (one: VisibleCatalogs, other: VisibleCatalogs): VisibleCatalogs => {
  if (one === 'all') return other;
  return other === 'all' ? one : one.filter((id) => other.includes(id));
};

/** Returns the viewer that a list of this owner runs as. */
export const runAs = (
  ownerId: number | null,
  viewer: Viewer,
  seen: Pick<Viewer, 'catalogs' | 'isAdministrator' | 'hidesServerPaths'> | undefined,
): Viewer => ({
  userId: ownerId ?? NOBODY,
  catalogs: seen ? common(viewer.catalogs, seen.catalogs) : viewer.catalogs,
  ...(seen?.isAdministrator === undefined ? {} : { isAdministrator: seen.isAdministrator }),
  ...(seen?.hidesServerPaths === undefined ? {} : { hidesServerPaths: seen.hidesServerPaths }),
});

/** Rules as they are kept, read again: a name that has become an alias means what it means now, a rule that is no more says nothing. */
export const storedRules = (json: string): SearchRule[] =>
  (JSON.parse(json) as readonly SmartlistRule[]).flatMap(([name, operator, input, subtype], index) => {
    const row = ruleNamed('song', name);
    return row ? [{ name: row.name, operator, input, subtype, parameter: `rule_${index + 1}` }] : [];
  });

/** Rules in the form in which they are kept. */
export const rulesToStore = (rules: readonly SearchRule[]): SmartlistRule[] =>
  rules.map(({ name, operator, input, subtype }) => [name, operator, input, subtype]);

/** The lists that rules of a type speak of. */
const namedIn = (type: SearchType, rules: readonly SearchRule[]): number[] =>
  rules
    .flatMap((rule) => (ruleNamed(type, rule.name)?.name === SMARTLIST_RULE ? [smartlistOperand(rule.input)] : []))
    .filter((id) => id > 0);

interface Row extends Omit<StoredSearch, 'rules'> {
  readonly rules: string;
}

const read = async (db: ReadDatabase, ids: readonly number[]): Promise<StoredSearch[]> => {
  const { rows } = await sql<Row>`
    select t.id, t.rules, t.logic, t.is_random as "isRandom", t.song_limit as "limit", t.owner_id as "ownerId", t.is_public as "isPublic",
      t.collaborator_ids as "collaboratorIds"
    from library.smartlist t where t.id = any(${[...ids]}::bigint[])`.execute(db);
  return rows.map((row) => ({ ...row, rules: storedRules(row.rules) }));
};

const none: StoredSearches = { list: () => undefined, ownerOf: (_list, viewer) => viewer, version: '' };

/**
 * Reads the smartlists that rules speak of, those that these speak of, and so on.
 * @throws Rejection `input.invalid` when there are too many
 */
export const storedSearches = async (
  db: ReadDatabase,
  { type, rules }: { readonly type: SearchType; readonly rules: readonly SearchRule[] },
  seenBy: SeenByAccount,
): Promise<StoredSearches> => {
  let wanted = namedIn(type, rules);
  if (wanted.length === 0) return none;
  const lists = new Map<number, StoredSearch>();
  const asked = new Set<number>();
  while (wanted.length > 0) {
    for (const id of wanted) asked.add(id);
    if (asked.size > MAX_LISTS) throw badSearch(`the rules refer to more than ${MAX_LISTS} smartlists`);
    const found = await read(db, wanted);
    for (const list of found) lists.set(list.id, list);
    wanted = [...new Set(found.flatMap((list) => namedIn('song', list.rules)))].filter((id) => !asked.has(id));
  }
  const owners = [...new Set([...lists.values()].flatMap(({ ownerId }) => ownerId ?? []))];
  const seen = new Map(await Promise.all(owners.map(async (id) => [id, await seenBy(id)] as const)));
  return {
    list: (id, viewer) => {
      const list = lists.get(id);
      return list && rightsOf(viewer, list).open ? list : undefined;
    },
    ownerOf: ({ ownerId }, viewer) => runAs(ownerId, viewer, ownerId === null ? undefined : seen.get(ownerId)),
    version: JSON.stringify([[...lists.values()], [...seen]]),
  };
};
