import type { RelevanceLibrary } from './relevance-library.js';
import type { QueryClass, RelevanceQuery } from './relevance-queries.js';

/** Number of results that are judged. */
export const RELEVANCE_DEPTH = 3;

/** Asks one index: ids of the kind, best first. Whatever is beyond {@link RELEVANCE_DEPTH} is not looked at. */
export type RelevanceSearch = (kind: RelevanceQuery[1], query: string, limit: number) => Promise<readonly number[]>;

/** A query that did not bring all that it should. */
export interface RelevanceMiss {
  readonly query: RelevanceQuery;
  /** Names of what came first instead. */
  readonly got: readonly string[];
}

/** Recall at three: the share of the expected results that were among the first three, averaged over queries. */
export interface RelevanceReport {
  readonly queries: number;
  /** 0 to 1. */
  readonly recall: number;
  readonly byClass: ReadonlyMap<QueryClass, { readonly queries: number; readonly recall: number }>;
  readonly misses: readonly RelevanceMiss[];
}

/** Puts every query to an index that holds the library. @throws Error for an expectation that names nothing or several things. */
export const runRelevance = async (
  search: RelevanceSearch,
  library: RelevanceLibrary,
  queries: readonly RelevanceQuery[],
): Promise<RelevanceReport> => {
  const names = namesOf(library);
  const scores = new Map<QueryClass, number[]>();
  const misses: RelevanceMiss[] = [];
  for (const query of queries) {
    const [of, kind, text, ...expected] = query;
    const wanted = expected.map((name) => idOf(names[kind], name, query));
    const found = (await search(kind, text, RELEVANCE_DEPTH)).slice(0, RELEVANCE_DEPTH);
    const score = wanted.filter((id) => found.includes(id)).length / wanted.length;
    scores.set(of, [...(scores.get(of) ?? []), score]);
    if (score < 1) misses.push({ query, got: found.map((id) => names[kind].get(id)?.at(-1) ?? `unknown ${id}`) });
  }
  const byClass = new Map([...scores].map(([of, all]) => [of, { queries: all.length, recall: mean(all) }] as const));
  return { queries: queries.length, recall: mean([...scores.values()].flat()), byClass, misses };
};

/** The report as a Markdown table, one row per class of queries. */
export const relevanceTable = ({ queries, recall, byClass }: RelevanceReport): string =>
  [
    '| Class | Queries | Recall@3 |',
    '|---|---|---|',
    ...[...byClass].map(([of, part]) => `| ${of} | ${part.queries} | ${part.recall.toFixed(3)} |`),
    `| **all** | ${queries} | **${recall.toFixed(3)}** |`,
  ].join('\n');

/** One line per miss, for people. */
export const relevanceMisses = ({ misses }: RelevanceReport): string =>
  misses
    .map(
      ({ query: [of, kind, text, ...expected], got }) =>
        `${of}, ${kind} «${text}»: expected ${expected.join(' + ')}; got ${got.join(' + ') || 'nothing'}`,
    )
    .join('\n');

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0) / Math.max(1, numbers.length);

/** Spellings under which an expectation may name a thing, from short to exact. */
type Names = ReadonlyMap<number, readonly string[]>;

const namesOf = ({ artists, albums, songs }: RelevanceLibrary): Record<RelevanceQuery[1], Names> => ({
  artist: new Map(artists.map(({ id, name }) => [id, [name]])),
  album: new Map(albums.map(({ id, name, artist }) => [id, [name, `${artist.name}: ${name}`]])),
  song: new Map(
    songs.map(({ id, title, artists: [first], album }) => [
      id,
      [title, `${first?.name}: ${title}`, `${first?.name}: ${title} @ ${album.name}`],
    ]),
  ),
});

/** The shortest spelling decides: a plain title must be the only one of its kind. */
const idOf = (names: Names, wanted: string, query: RelevanceQuery): number => {
  const ids = [...names].filter(([, spellings]) => spellings.includes(wanted)).map(([id]) => id);
  if (ids.length === 1) return ids[0] as number;
  throw new Error(`the expectation «${wanted}» of the query «${query[2]}» names ${ids.length} things`);
};
