import { sql, type Kysely, type RawBuilder } from 'kysely';
import { searchKinds, type SearchKind } from '../../search-document.js';
import {
  MAX_SEARCH_MATCHES,
  SearchUnavailable,
  type SearchIndex,
  type SearchMatches,
  type SearchPage,
  type SearchRequest,
  type SearchResult,
} from '../../search-index.js';
import { readSearchText, type ReadSearch, type SearchReading } from '../../search-words.js';
import { asUnavailable } from './database-faults.js';
import {
  bestMatches,
  detailed,
  idOnly,
  placesOf,
  rareMatches,
  type DetailedRow,
  type MatchQuery,
  type Matches,
  type MatchRow,
  type RowColumns,
} from './matches.js';
import { inName } from './search-elements.js';
import { liveGeneration, publishedTables, type LiveGeneration } from './search-tables.js';
import { forgivenTerms, knownTerms, type KnownTerm } from './word-lookup.js';

/** Pages are cut from a ranking of so many matches: of the first ones, or of more where a page lies further behind. */
const RANKINGS: readonly number[] = [200, 1000, MAX_SEARCH_MATCHES];
/** Mistakes are only looked for when a search finds fewer things of a kind than this. */
const TOO_FEW = 3;
/** A search that finds so many things, of all kinds together, was spelt as it was meant. */
const ENOUGH = 10;
/** Numbers of things change slowly and only steer how a search is done. */
const NUMBERS_KEPT_MS = 2000;

const NOTHING: SearchMatches = { ids: [], estimatedTotal: 0 };

/** A search of one kind. */
interface Asked {
  readonly kind: SearchKind;
  readonly read: ReadSearch;
  readonly request: SearchRequest;
  readonly live: LiveGeneration;
  readonly visibleShare: number;
  /** Looks up what the terms of a reading are in the words of this kind, and what they may have been meant to be. */
  readonly known: (reading: SearchReading) => Promise<readonly KnownTerm[]>;
  readonly forgiven: (reading: SearchReading) => Promise<readonly KnownTerm[]>;
  /** Whether other readings and mistakes are looked for. */
  readonly forgives: boolean;
  readonly tx: Kysely<unknown>;
}

/** Database of searches, and the time limit of a statement. */
interface Place {
  readonly db: Kysely<unknown>;
  readonly timeoutMs: number;
}

type LookUp = (kind: SearchKind, reading: SearchReading) => Promise<readonly KnownTerm[]>;

/** Looks the terms of each reading up once, in one statement for the kind that asks first and all kinds behind it, which mostly ask as well. */
const lookUpOnce = (
  kinds: readonly SearchKind[],
  lookUp: (tables: readonly RawBuilder<unknown>[], reading: SearchReading) => Promise<KnownTerm[][]>,
): LookUp => {
  const found = new Map<SearchReading, { readonly from: number; readonly all: Promise<KnownTerm[][]> }>();
  return async (kind, reading) => {
    const at = kinds.indexOf(kind);
    let known = found.get(reading);
    if (!known) {
      const tables = kinds.slice(at).map((one) => publishedTables.words(one));
      found.set(reading, (known = { from: at, all: lookUp(tables, reading) }));
    }
    return (await known.all)[at - known.from] ?? [];
  };
};

/** Share of common trigrams from which on a word counts as similar. */
const SIMILAR_FROM = 0.25;

/**
 * Statements of a search are run in one transaction, whose planner is told to use indexes: it takes a look for forty words in an array for no dearer than a
 * comparison of two numbers. Statements are planned once for all words, because planning took longer than most looks. It begins and is set up in one exchange.
 */
const indexed = <T>({ db, timeoutMs }: Place, step: (reading: Kysely<unknown>) => Promise<T>): Promise<T> =>
  db.connection().execute(async (reading) => {
    await sql`begin read only; set local enable_seqscan = off; set local plan_cache_mode = force_generic_plan; set local statement_timeout = ${sql.lit(timeoutMs)};
      set local pg_trgm.similarity_threshold = ${sql.lit(SIMILAR_FROM)}`.execute(reading);
    const found = await step(reading).catch(async (error: unknown) => {
      await sql`rollback`.execute(reading).catch((cause: unknown) => {
        throw new AggregateError([error, cause], 'a search failed, and its transaction could not be ended');
      });
      throw error;
    });
    await sql`commit`.execute(reading);
    return found;
  });

/** Sum of how far a row's words are from what was typed, a little less for words of its own name. */
const distanceOf = (row: DetailedRow, terms: readonly KnownTerm[]): number => {
  const words = new Set(row.words);
  let sum = 0;
  for (const term of terms) {
    const near = term.words.filter(({ word }) => words.has(word)).map(({ word, cost }) => cost + (words.has(inName(word)) ? 0 : 0.5));
    sum += Math.min(9, ...near);
  }
  return sum;
};

/** Searches the index in Postgres, with an account that may only read. */
export class PostgresSearchIndex implements SearchIndex {
  readonly name = 'postgres';
  private known: { readonly live: Promise<LiveGeneration | undefined>; readonly atMs: number } | undefined;

  private readonly place: Place;

  /** @param timeoutMs what a statement may take at most before it is given up, whoever still waits for it */
  constructor(
    private readonly db: Kysely<unknown>,
    timeoutMs = 10_000,
  ) {
    this.place = { db, timeoutMs };
  }

  search(request: SearchRequest): Promise<SearchResult> {
    return asUnavailable(async () => {
      const live = await this.numbers();
      if (!live) throw new SearchUnavailable('the search index in Postgres was not filled yet');
      const read = readSearchText(request.text);
      const kinds = searchKinds.filter((kind) => request.pages[kind] !== undefined);
      const visibleShare = await this.visibleShare(request);
      return indexed(this.place, async (tx) => {
        const wanted = kinds.filter((kind) => (request.pages[kind]?.limit ?? 0) > 0);
        const known = lookUpOnce(wanted, (tables, { terms }) => knownTerms(tx, tables, terms));
        const { hasTrigrams } = live;
        const forgiven = lookUpOnce(wanted, (tables, { terms }) => forgivenTerms(tx, tables, { terms, hasTrigrams }));
        const found = new Map<SearchKind, SearchMatches>();
        const look = async (kind: SearchKind, forgives: boolean): Promise<void> => {
          const lookUps = { known: known.bind(null, kind), forgiven: forgiven.bind(null, kind) };
          const asked = { kind, read, request, live, visibleShare, ...lookUps, forgives, tx };
          found.set(kind, await this.page(asked, request.pages[kind]));
        };
        for (const kind of kinds) await look(kind, false);
        const totals = [...found].map(([kind, { estimatedTotal }]) => ({ kind, estimatedTotal }));
        if (totals.reduce((sum, { estimatedTotal }) => sum + estimatedTotal, 0) < ENOUGH)
          for (const { kind, estimatedTotal } of totals) if (estimatedTotal < TOO_FEW) await look(kind, true);
        return Object.fromEntries(found);
      });
    });
  }

  private async numbers(): Promise<LiveGeneration | undefined> {
    const now = performance.now();
    if (!this.known || now - this.known.atMs > NUMBERS_KEPT_MS) {
      const live = liveGeneration(this.db);
      const known = { live, atMs: now };
      this.known = known;
      const forget = (): void => {
        if (this.known === known) this.known = undefined;
      };
      live.then((row) => row ?? forget(), forget);
    }
    return this.known.live;
  }

  /** Estimated share of the library that the viewer sees: the catalogs that songs lie in. */
  private async visibleShare({ catalogs }: SearchRequest): Promise<number> {
    if (catalogs === 'all') return 1;
    const places = (placesOf(catalogs) ?? []).map((word) => ({ word, isUnfinished: false }));
    const [[of = []], all] = [
      await indexed(this.place, (tx) => knownTerms(tx, [publishedTables.words('song')], places)),
      (await this.numbers())?.counts.song ?? 0,
    ];
    return all === 0 ? 1 : Math.min(1, of.reduce((sum, { df }) => sum + df, 0) / all);
  }

  private async page(asked: Asked, page: SearchPage | undefined): Promise<SearchMatches> {
    const { offset = 0, limit = 0 } = page ?? {};
    if (limit <= 0 || offset >= MAX_SEARCH_MATCHES) return NOTHING;
    const end = Math.min(offset + limit, MAX_SEARCH_MATCHES);
    let ids: readonly number[] = [];
    let total = 0;
    for (const size of RANKINGS) {
      const found = await this.ranked(asked, { wanted: Math.min(end, size), size });
      // The first ones stay as they are, whatever a ranking of more of them says, so that pages fit together.
      ids = [...new Set([...ids, ...found.ids])];
      ({ total } = found);
      if (end <= size || found.ids.length < size) break;
      ids = ids.slice(0, size);
    }
    return { ids: ids.slice(offset, end), estimatedTotal: Math.max(total, Math.min(ids.length, end)) };
  }

  /** At least the wanted first ids, and how many there are. Rankings of one size begin alike, however many of them are wanted. */
  private async ranked(
    asked: Asked,
    { wanted, size }: { wanted: number; size: number },
  ): Promise<{ ids: readonly number[]; total: number }> {
    const { readings } = asked.read;
    for (const reading of asked.forgives ? readings : readings.slice(0, 1)) {
      const found = await this.strict(asked, reading, { wanted, atMost: size });
      if (found.ids.length >= Math.min(TOO_FEW, wanted)) return found;
      if (found.ids.length > 0) return this.withForgiven(asked, found, size);
    }
    return this.withForgiven(asked, { ids: [], total: 0 }, size);
  }

  /** Things that hold the words as they were typed: first those that hold all in their names. */
  private async strict(
    asked: Asked,
    reading: SearchReading,
    { wanted, atMost }: { wanted: number; atMost: number },
  ): Promise<{ ids: number[]; total: number }> {
    const known = await asked.known(reading);
    if (known.some(({ words }) => words.length === 0)) return { ids: [], total: 0 };
    const rare = await rareMatches(asked.tx, { ...this.query(asked, known), namesOnly: false }, atMost);
    if (rare) {
      const own = rare.filter(({ named }) => named);
      const ids = (own.length >= wanted ? own : rare).map(({ id }) => id);
      return { ids, total: ids.length };
    }
    const named = await this.matches(asked, known, { namesOnly: true, limit: atMost, shown: idOnly });
    const ids = named.rows.map(({ id }) => id);
    if (ids.length >= wanted) return { ids, total: named.total };
    const anywhere = await this.matches(asked, known, { namesOnly: false, limit: atMost, shown: idOnly });
    const all = [...new Set([...ids, ...anywhere.rows.map(({ id }) => id)])];
    return { ids: all, total: Math.max(all.length, anywhere.total) };
  }

  private query({ kind, read, request, live, visibleShare }: Asked, terms: readonly KnownTerm[]): Omit<MatchQuery, 'namesOnly'> {
    return {
      things: publishedTables.things(kind),
      thingCount: live.counts[kind] ?? 0,
      plain: read.plain,
      terms,
      places: placesOf(request.catalogs),
      visibleShare,
      viewerId: request.viewerId,
    };
  }

  private matches<R extends MatchRow>(
    asked: Asked,
    terms: readonly KnownTerm[],
    { namesOnly, limit, shown }: { namesOnly: boolean; limit: number; shown: RowColumns<R> },
  ): Promise<Matches<R>> {
    return bestMatches(asked.tx, { ...this.query(asked, terms), namesOnly }, limit, shown);
  }

  /** Appends matches with typing mistakes forgiven, if they are, to the exact ones. */
  private async withForgiven(
    asked: Asked,
    strict: { ids: readonly number[]; total: number },
    limit: number,
  ): Promise<{ ids: readonly number[]; total: number }> {
    if (!asked.forgives) return strict;
    for (const reading of asked.read.readings.slice(0, 2)) {
      const known = await asked.forgiven(reading);
      if (known.some(({ words }) => words.length === 0)) continue;
      const { rows, total } = await this.matches(asked, known, { namesOnly: false, limit, shown: detailed });
      if (rows.length === 0) continue;
      const distances = new Map(rows.map((row) => [row.id, distanceOf(row, known)]));
      const far = (id: number): number => distances.get(id) ?? 0;
      const ordered = rows.toSorted((a, b) => far(a.id) - far(b.id) || b.popularity - a.popularity || a.id - b.id);
      const ids = [...new Set([...strict.ids, ...ordered.map(({ id }) => id)])];
      return { ids, total: Math.max(ids.length, total) };
    }
    return strict;
  }
}
