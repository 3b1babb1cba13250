import { Rejection } from '@continuo/contracts';
import { sql, type RawBuilder } from 'kysely';
import { Places } from '../http/places.js';
import type { ReadDatabase } from '../reads/database.js';
import { IdList, parseIds } from '../reads/id-list.js';
import { ListCache } from '../reads/list-cache.js';
import { readVersions } from '../reads/lists.js';
import type { Viewer } from '../reads/viewer.js';
import { compileSearch, type CompiledSearch } from './compile.js';
import { badSearch } from './faults.js';
import type { Logic, SearchRule } from './rule.js';
import type { SearchType } from './search-types.js';
import { SongOrder } from './song-order.js';
import { storedSearches, type SeenByAccount } from './stored-searches.js';

/** What is looked for. */
export interface Search {
  readonly type: SearchType;
  readonly rules: readonly SearchRule[];
  readonly logic: Logic;
  /** In a random order instead of the type's own. */
  readonly random?: boolean;
  /** By id: for who brings them into an order anyway. */
  readonly unordered?: boolean;
  /** The first so many only, in the type's own order; 0 or undefined = all. */
  readonly limit?: number;
}

/** Runs searches. */
export interface Searches {
  /**
   * The ids of all matches that the viewer may see, in order.
   * @throws Rejection `input.invalid` for rules that cannot be run, and for a search that takes too long; `unavailable` when too many wait
   */
  ids(search: Search, viewer: Viewer): Promise<IdList>;
  /** How long songs take together that the caller has found, in milliseconds. */
  durationOf(songs: IdList): Promise<number>;
}

/** What searches need to know of the server beside the read model. */
export interface SearchSurroundings {
  /** What accounts may see, for the smartlists that rules speak of: each is run for its owner. */
  readonly seenBy: SeenByAccount;
  /** Is told of work beside the searches that failed; nobody who asked waits for it. */
  readonly onFailure?: (error: unknown) => void;
  /**
   * A text that changes with everything that plays, ratings, favourites, accounts and lists are read from. Without it no answer that depends on one of them is kept.
   */
  readonly marks?: () => Promise<string>;
}

/** What searches may cost. */
export interface SearchLimits {
  readonly cacheBytes: number;
  /** A statement that takes longer is given up. */
  readonly timeoutMs: number;
  /** The same for searches with many rules. */
  readonly manyRulesTimeoutMs: number;
  /** How many statements may run at the same time, and how many may wait. */
  readonly places: number;
  readonly queue: number;
}

/** The limits of a gateway by its settings. Their ids get a quarter of what lists get. */
export const searchLimits = (config: {
  readonly LIST_CACHE_BYTES: number;
  readonly SEARCH_TIMEOUT_MS: number;
  readonly SEARCH_TIMEOUT_MANY_RULES_MS: number;
  readonly SEARCH_PLACES: number;
  readonly SEARCH_QUEUE: number;
}): SearchLimits => ({
  cacheBytes: config.LIST_CACHE_BYTES / 4,
  timeoutMs: config.SEARCH_TIMEOUT_MS,
  manyRulesTimeoutMs: config.SEARCH_TIMEOUT_MANY_RULES_MS,
  places: config.SEARCH_PLACES,
  queue: config.SEARCH_QUEUE,
});

const sqlStateOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Statements that the database gave up because of what the client asked for, in words that say what to change. */
const asRefusal = (error: unknown, timeoutMs: number): unknown => {
  const state = sqlStateOf(error);
  const reason = error instanceof Error ? error.message : '';
  if (state === '57014') return badSearch(`too broad: the search took longer than ${timeoutMs / 1000} s, ask for something more specific`);
  if (state === '2201B') return badSearch(`not a regular expression (${reason.slice(0, 100)})`, 'rule_1_input');
  // Data exceptions and exceeded limits of the database: whatever it was, it came with the operands.
  if (state.startsWith('22') || state.startsWith('54'))
    return badSearch(`the operand cannot be searched for (${reason.slice(0, 100)})`, 'rule_1_input');
  return error;
};

/** Rules about how long ago something was are answered anew after this time. */
const CLOCK_STEP_MS = 30_000;

/** Searches with more rules than this get less time: what they cost is multiplied. */
const MANY_RULES = 10;
/** Lists of more songs than this take long to put into order. */
const LONG_LIST = 50_000;

interface Keeping {
  readonly compiled: CompiledSearch;
  readonly load: () => Promise<IdList>;
  readonly key: readonly unknown[];
}

interface Loading {
  readonly timeoutMs: number;
  /** The songs come without order, and so many of them are wanted in the order of their paths; 0 = all. */
  readonly arrangedTo: number | undefined;
}

class BoundedSearches implements Searches {
  private readonly cache: ListCache;
  private readonly places: Places;
  private readonly order: SongOrder;
  private readonly catalogue = async (): Promise<string> => (await readVersions(this.db, false)).catalogue;

  constructor(
    private readonly db: ReadDatabase,
    private readonly limits: SearchLimits,
    private readonly now: () => number,
    private readonly surroundings: SearchSurroundings,
  ) {
    const { onFailure = () => undefined } = surroundings;
    this.cache = new ListCache(limits.cacheBytes, { onFailure });
    this.order = new SongOrder(db, onFailure);
    this.places = new Places(limits.places, limits.queue);
  }

  async ids(search: Search, viewer: Viewer): Promise<IdList> {
    const list = await this.found(search, viewer);
    return search.random ? list.shuffled() : list;
  }

  async durationOf({ ids }: IdList): Promise<number> {
    const known = this.order.durationOf(ids);
    if (known !== undefined) return known;
    const statement = sql<{ durationMs: number }>`
      select coalesce(sum(s.duration_ms), 0)::float8 as "durationMs" from library.song s where s.id = any(${Array.from(ids)}::int[])`;
    return (await this.bounded(statement, this.limits.manyRulesTimeoutMs))[0]?.durationMs ?? 0;
  }

  private async found(search: Search, viewer: Viewer): Promise<IdList> {
    const { type, rules, logic, limit = 0 } = search;
    const unordered = search.random === true || search.unordered === true;
    const stored = await storedSearches(this.db, search, this.surroundings.seenBy);
    const isArranged = type === 'song' && !unordered && this.order.isAtHand;
    const asked = isArranged ? { unordered: true } : { unordered, limit };
    const compiled = compileSearch(type, rules, logic, { viewer, nowMs: this.now(), stored, ...asked });
    const timeoutMs = compiled.rules > MANY_RULES ? Math.min(this.limits.manyRulesTimeoutMs, this.limits.timeoutMs) : this.limits.timeoutMs;
    const load = (): Promise<IdList> => this.load(compiled, { timeoutMs, arrangedTo: isArranged ? limit : undefined });
    const key = [viewer.catalogs, type, logic, unordered, limit, rules];
    try {
      const list = await this.kept({
        compiled,
        load,
        key: [...(compiled.volatile ? [viewer.userId, stored.version] : []), ...key],
      });
      if (type === 'song' && !unordered && list.total > LONG_LIST) this.order.want(this.catalogue);
      return list;
    } catch (error) {
      // It may have been the order that took too long.
      if (type === 'song' && !unordered && error instanceof Rejection) this.order.want(this.catalogue);
      throw error;
    }
  }

  /** What users do changes all the time; as long as nobody does anything, a page after the first costs nothing. */
  private async kept({ compiled, load, key }: Keeping): Promise<IdList> {
    if (!compiled.volatile) return this.cache.get(JSON.stringify(key), await this.catalogue(), load);
    const { marks } = this.surroundings;
    if (!marks) return load();
    const [catalogue, changed] = await Promise.all([this.catalogue(), marks()]);
    const version = `${catalogue} ${changed} ${Math.floor(this.now() / CLOCK_STEP_MS)}`;
    return this.cache.get(JSON.stringify(key), version, load, true);
  }

  private async load({ statement }: CompiledSearch, { timeoutMs, arrangedTo }: Loading): Promise<IdList> {
    const ids = parseIds((await this.bounded(statement, timeoutMs))[0]?.ids ?? null);
    if (arrangedTo === undefined) return new IdList(ids);
    const arranged = this.order.arranged(ids);
    return new IdList(arrangedTo === 0 ? arranged : arranged.slice(0, arrangedTo));
  }

  private bounded<T>(statement: RawBuilder<T>, timeoutMs: number): Promise<T[]> {
    return this.places.run(async () => {
      try {
        return await this.db.transaction().execute(async (transaction) => {
          await sql`select set_config('statement_timeout', ${String(timeoutMs)}, true)`.execute(transaction);
          return (await statement.execute(transaction)).rows;
        });
      } catch (error) {
        throw asRefusal(error, timeoutMs);
      }
    });
  }
}

/**
 * Searches over the read model. What is found is kept until something changes that it depends on, so that a page after the first costs nothing; all of it is bounded in time, so that no
 * client can keep the database from others.
 */
export const createSearches = (
  db: ReadDatabase,
  limits: SearchLimits,
  now: () => number,
  surroundings: SearchSurroundings = { seenBy: async () => undefined },
): Searches => new BoundedSearches(db, limits, now, surroundings);
