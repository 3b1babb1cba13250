import { sql } from 'kysely';
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

/** What a search for songs finds. */
export interface FoundSongs {
  readonly list: IdList;
  /** How long all of them take together. */
  readonly durationMs: number;
}

/** Runs searches. */
export interface Searches {
  /**
   * The ids of all matches that the viewer may see, in order.
   * @throws Rejection `input.invalid` for rules that cannot be run, and for a search that takes too long; `unavailable` when too many wait
   */
  ids(search: Search, viewer: Viewer): Promise<IdList>;
  /** The same for songs, with how long they take. */
  songs(search: Omit<Search, 'type'>, viewer: Viewer): Promise<FoundSongs>;
}

/** What searches need to know of the server beside the read model. */
export interface SearchSurroundings {
  /** What accounts may see, for the smartlists that rules speak of: each is run for its owner. */
  readonly seenBy: SeenByAccount;
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
  /** How many statements may run at the same time, and how many may wait. */
  readonly places: number;
  readonly queue: number;
}

/** The limits of a gateway by its settings. Their ids get a quarter of what lists get. */
export const searchLimits = (config: {
  readonly LIST_CACHE_BYTES: number;
  readonly SEARCH_TIMEOUT_MS: number;
  readonly SEARCH_PLACES: number;
  readonly SEARCH_QUEUE: number;
}): SearchLimits => ({
  cacheBytes: config.LIST_CACHE_BYTES / 4,
  timeoutMs: config.SEARCH_TIMEOUT_MS,
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

class BoundedSearches implements Searches {
  private readonly cache: ListCache;
  private readonly places: Places;
  private readonly durations = new WeakMap<IdList, number>();

  constructor(
    private readonly db: ReadDatabase,
    private readonly limits: SearchLimits,
    private readonly now: () => number,
    private readonly surroundings: SearchSurroundings,
  ) {
    this.cache = new ListCache(limits.cacheBytes);
    this.places = new Places(limits.places, limits.queue);
  }

  async ids(search: Search, viewer: Viewer): Promise<IdList> {
    const list = await this.found(search, viewer);
    return search.random ? list.shuffled() : list;
  }

  async songs(search: Omit<Search, 'type'>, viewer: Viewer): Promise<FoundSongs> {
    const list = await this.found({ ...search, type: 'song' }, viewer);
    return { list: search.random ? list.shuffled() : list, durationMs: this.durations.get(list) ?? 0 };
  }

  private async found(search: Search, viewer: Viewer): Promise<IdList> {
    const { type, rules, logic, limit = 0 } = search;
    const unordered = search.random === true || search.unordered === true;
    const stored = await storedSearches(this.db, search, this.surroundings.seenBy);
    const compiled = compileSearch(type, rules, logic, { viewer, nowMs: this.now(), unordered, limit, stored });
    const key = [viewer.catalogs, type, logic, unordered, limit, rules];
    if (!compiled.volatile) return this.kept(compiled, key);
    if (!this.surroundings.marks) return this.load(compiled);
    return this.keptWhileUnchanged(compiled, [viewer.userId, stored.version, ...key], this.surroundings.marks);
  }

  private async kept(compiled: CompiledSearch, key: readonly unknown[]): Promise<IdList> {
    const { catalogue } = await readVersions(this.db, false);
    return this.cache.get(JSON.stringify(key), catalogue, () => this.load(compiled));
  }

  /** What users do changes all the time; as long as nobody does anything, a page after the first costs nothing. */
  private async keptWhileUnchanged(compiled: CompiledSearch, key: readonly unknown[], marks: () => Promise<string>): Promise<IdList> {
    const [{ catalogue }, changed] = await Promise.all([readVersions(this.db, false), marks()]);
    const version = `${catalogue} ${changed} ${Math.floor(this.now() / CLOCK_STEP_MS)}`;
    return this.cache.get(JSON.stringify(key), version, () => this.load(compiled), true);
  }

  private load({ statement }: CompiledSearch): Promise<IdList> {
    const { timeoutMs } = this.limits;
    return this.places.run(async () => {
      try {
        return await this.db.transaction().execute(async (transaction) => {
          await sql`select set_config('statement_timeout', ${String(timeoutMs)}, true)`.execute(transaction);
          const { rows } = await statement.execute(transaction);
          const list = new IdList(parseIds(rows[0]?.ids ?? null));
          this.durations.set(list, rows[0]?.durationMs ?? 0);
          return list;
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
