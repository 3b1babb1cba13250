import { Rejection } from '@continuo/contracts';
import { sql, type RawBuilder } from 'kysely';
import { ConcurrencyLimiter } from '../server/concurrency-limiter.js';
import { runBounded, sqlStateOf, isOutOfMemory } from '../reads/database/bounded-statement.js';
import type { ReadDatabase } from '../reads/database/database.js';
import { IdList, parseIds } from '../reads/lists/id-list.js';
import { ListCache } from '../reads/lists/list-cache.js';
import { readVersions } from '../reads/lists/lists.js';
import type { Viewer } from '../reads/visibility/viewer.js';
import { compileSearch, type CompiledSearch } from './compile.js';
import { badSearch } from './faults.js';
import type { Logic, SearchRule } from './rule.js';
import type { SearchType } from './search-types.js';
import { SongOrder } from './song-order.js';
import { storedSearches, type SeenByAccount } from './stored-searches.js';
import { isOneOf } from '../reads/database/id-condition.js';

/** Query of a search. */
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
  /** Sums the duration of found songs, milliseconds. */
  durationOf(songs: IdList): Promise<number>;
}

/** Dependencies of searches beside the read model. */
export interface SearchDependencies {
  /** Visibility of accounts, for smartlists in rules: each runs with the rights of its owner. */
  readonly seenBy: SeenByAccount;
  /** Called when background work of searches fails. */
  readonly onFailure?: (error: unknown) => void;
  /**
   * Returns a text that changes with plays, ratings, favourites, accounts and lists. Without it no answer that depends on them is cached.
   */
  readonly dataVersion?: () => Promise<string>;
}

/** Limits of searches. */
export interface SearchLimits {
  readonly cacheBytes: number;
  /** Timeout of a statement. */
  readonly timeoutMs: number;
  /** The same for searches with many rules. */
  readonly manyRulesTimeoutMs: number;
  /** Statements that may run at the same time, and those that may wait. */
  readonly slots: number;
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
  slots: config.SEARCH_PLACES,
  queue: config.SEARCH_QUEUE,
});

/** Maps errors of the database that the client's search caused to rejections that say what to change. */
const asRefusal = (error: unknown, timeoutMs: number): unknown => {
  const state = sqlStateOf(error);
  const reason = error instanceof Error ? error.message : '';
  if (state === '57014') return badSearch(`too broad: the search took longer than ${timeoutMs / 1000} s, ask for something more specific`);
  if (state === '2201B') return badSearch(`not a regular expression (${reason.slice(0, 100)})`, 'rule_1_input');
  if (isOutOfMemory(error)) return badSearch('too complex: the search takes more memory than the database has for it', 'rule_1_input');
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

interface CacheableSearch {
  readonly compiled: CompiledSearch;
  readonly load: () => Promise<IdList>;
  readonly key: readonly unknown[];
}

interface LoadOptions {
  readonly timeoutMs: number;
  /** The songs come without order, and so many of them are wanted in the order of their paths; 0 = all. */
  readonly arrangedTo: number | undefined;
}

class BoundedSearches implements Searches {
  private readonly cache: ListCache;
  private readonly limiter: ConcurrencyLimiter;
  private readonly order: SongOrder;
  private readonly catalogue = async (): Promise<string> => (await readVersions(this.db, false)).catalogue;

  constructor(
    private readonly db: ReadDatabase,
    private readonly limits: SearchLimits,
    private readonly now: () => number,
    private readonly dependencies: SearchDependencies,
  ) {
    const { onFailure = () => undefined } = dependencies;
    this.cache = new ListCache(limits.cacheBytes, { onFailure });
    this.order = new SongOrder(db, onFailure);
    this.limiter = new ConcurrencyLimiter(limits.slots, limits.queue);
  }

  async ids(search: Search, viewer: Viewer): Promise<IdList> {
    const list = await this.found(search, viewer);
    return search.random ? list.shuffled() : list;
  }

  async durationOf({ ids }: IdList): Promise<number> {
    const known = this.order.durationOf(ids);
    if (known !== undefined) return known;
    const statement = sql<{ durationMs: number }>`
      select coalesce(sum(s.duration_ms), 0)::float8 as "durationMs" from library.song s where ${isOneOf(sql<number>`s.id`, ids)}`;
    return (await this.bounded(statement, this.limits.manyRulesTimeoutMs))[0]?.durationMs ?? 0;
  }

  private async found(search: Search, viewer: Viewer): Promise<IdList> {
    const { type, rules, logic, limit = 0 } = search;
    const unordered = search.random === true || search.unordered === true;
    const stored = await storedSearches(this.db, search, this.dependencies.seenBy);
    const isArranged = type === 'song' && !unordered && this.order.isAtHand;
    const asked = isArranged ? { unordered: true } : { unordered, limit };
    const compiled = compileSearch(type, rules, logic, { viewer, nowMs: this.now(), stored, ...asked });
    const timeoutMs = compiled.rules > MANY_RULES ? Math.min(this.limits.manyRulesTimeoutMs, this.limits.timeoutMs) : this.limits.timeoutMs;
    const load = (): Promise<IdList> => this.load(compiled, { timeoutMs, arrangedTo: isArranged ? limit : undefined });
    const key = [viewer.catalogs, viewer.hidesServerPaths === true, type, logic, unordered, limit, rules];
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

  /** Caches also volatile answers, until user data change: then further pages cost nothing. */
  private async kept({ compiled, load, key }: CacheableSearch): Promise<IdList> {
    if (!compiled.volatile) return this.cache.get(JSON.stringify(key), await this.catalogue(), load);
    const { dataVersion } = this.dependencies;
    if (!dataVersion) return load();
    const [catalogue, changed] = await Promise.all([this.catalogue(), dataVersion()]);
    const version = `${catalogue} ${changed} ${Math.floor(this.now() / CLOCK_STEP_MS)}`;
    return this.cache.get(JSON.stringify(key), version, load, true);
  }

  private async load({ statement }: CompiledSearch, { timeoutMs, arrangedTo }: LoadOptions): Promise<IdList> {
    const ids = parseIds((await this.bounded(statement, timeoutMs))[0]?.ids ?? null);
    if (arrangedTo === undefined) return new IdList(ids);
    const arranged = this.order.arranged(ids);
    return new IdList(arrangedTo === 0 ? arranged : arranged.slice(0, arrangedTo));
  }

  private bounded<T>(statement: RawBuilder<T>, timeoutMs: number): Promise<T[]> {
    return this.limiter.run(async () => {
      try {
        return await runBounded(this.db, statement, timeoutMs);
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
  dependencies: SearchDependencies = { seenBy: async () => undefined },
): Searches => new BoundedSearches(db, limits, now, dependencies);

/** Runs rule-based searches. */
export interface HasSearches {
  readonly searches: Searches;
}
