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

/** What is looked for. */
export interface Search {
  readonly type: SearchType;
  readonly rules: readonly SearchRule[];
  readonly logic: Logic;
  /** In a random order instead of the type's own. */
  readonly random?: boolean;
}

/** Runs searches. */
export interface Searches {
  /**
   * The ids of all matches that the viewer may see, in order.
   * @throws Rejection `input.invalid` for rules that cannot be run, and for a search that takes too long; `unavailable` when too many wait
   */
  ids(search: Search, viewer: Viewer): Promise<IdList>;
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

class BoundedSearches implements Searches {
  private readonly cache: ListCache;
  private readonly places: Places;

  constructor(
    private readonly db: ReadDatabase,
    private readonly limits: SearchLimits,
    private readonly now: () => number,
  ) {
    this.cache = new ListCache(limits.cacheBytes);
    this.places = new Places(limits.places, limits.queue);
  }

  async ids({ type, rules, logic, random }: Search, viewer: Viewer): Promise<IdList> {
    const unordered = random === true;
    const compiled = compileSearch(type, rules, logic, { viewer, nowMs: this.now(), unordered });
    const list = compiled.volatile
      ? await this.load(compiled)
      : await this.kept(compiled, [viewer.catalogs, type, logic, unordered, rules]);
    return unordered ? list.shuffled() : list;
  }

  private async kept(compiled: CompiledSearch, key: readonly unknown[]): Promise<IdList> {
    const { catalogue } = await readVersions(this.db, false);
    return this.cache.get(JSON.stringify(key), catalogue, () => this.load(compiled));
  }

  private load({ statement }: CompiledSearch): Promise<IdList> {
    const { timeoutMs } = this.limits;
    return this.places.run(async () => {
      try {
        return await this.db.transaction().execute(async (transaction) => {
          await sql`select set_config('statement_timeout', ${String(timeoutMs)}, true)`.execute(transaction);
          const { rows } = await statement.execute(transaction);
          return new IdList(parseIds(rows[0]?.ids ?? null));
        });
      } catch (error) {
        throw asRefusal(error, timeoutMs);
      }
    });
  }
}

/**
 * Searches over the read model. What depends on the catalogue alone is kept until the catalogue changes; all of it is bounded in time, so that no
 * client can keep the database from others.
 */
export const createSearches = (db: ReadDatabase, limits: SearchLimits, now: () => number): Searches => new BoundedSearches(db, limits, now);
