import { formatCount } from '@continuo/operations';
import { randomFor, trackTitle, uniqueWord } from '@continuo/media-fixtures';
import { NativeClient } from '../harness/native-client.js';
import type { Measurement } from '../measure/report.js';
import { timedInTurn, type Summary } from '../measure/stats.js';
import type { SizedServer } from './lists.bench.js';

/** Items of one page, the most that the budget speaks of. */
const PAGE = 500;
/** A page of a search that is kept: the same budget as for a page of a list. */
const KEPT_BUDGET_MS = 50;
const KEPT = { times: 20, warmUps: 3 };
/** Every round asks for something else, so that nothing is kept. */
const FIRST = { times: 7, warmUps: 1 };

/** One rule as a request names it. */
type Rule = readonly [name: string, operator: number, input: string];

interface SearchCase {
  readonly type: string;
  readonly operator?: 'and' | 'or';
  /** The rules of a round, or words instead of them; rounds of one case differ in their operands. */
  readonly rules: (round: number) => readonly Rule[] | string;
}

const word = (round: number): string => uniqueWord(20 + ((round + 100) % 100) * 37).slice(0, 5);
const title = (round: number): string => trackTitle(randomFor(1, `round ${round}`)).split(' ')[0] ?? 'x';

/** The searches that clients make: of a word that few things hold, of one that many hold, by facts of users, and those that look at everything. */
const cases: Readonly<Record<string, SearchCase>> = {
  'song title contains': { type: 'song', rules: (round) => [['title', 0, title(round)]] },
  'song title contains two letters': { type: 'song', rules: (round) => [['title', 0, title(round).slice(0, 2)]] },
  'song title differs': { type: 'song', rules: (round) => [['title', 5, title(round)]] },
  'song title sounds like': { type: 'song', rules: (round) => [['title', 6, title(round)]] },
  'song title matches regex': { type: 'song', rules: (round) => [['title', 8, `^${title(round).slice(0, 3)}.*[aeiou]$`]] },
  'song anywhere contains': { type: 'song', rules: (round) => [['anywhere', 0, word(round)]] },
  'title or artist or album contains': {
    type: 'song',
    operator: 'or',
    rules: (round) => [
      ['title', 0, word(round)],
      ['artist', 0, word(round)],
      ['album', 0, word(round)],
    ],
  },
  'songs by words': { type: 'song', rules: word },
  'songs by a frequent word': { type: 'song', rules: title },
  'songs by two letters': { type: 'song', rules: (round) => title(round).slice(0, 2) },
  'albums by words': { type: 'album', rules: word },
  'song file contains': { type: 'song', rules: (round) => [['file', 0, `${word(round)}/`]] },
  'song years': {
    type: 'song',
    rules: (round) => [
      ['year', 0, String(1970 + ((round + 40) % 40))],
      ['time', 4, '3.5'],
    ],
  },
  'songs rated by me': { type: 'song', rules: (round) => [['myrating', 0, String(1 + ((round + 5) % 5))]] },
  'songs never played': { type: 'song', rules: (round) => [['played_times', 1, String((round + 5) % 5)]] },
  'possible duplicates': { type: 'song', rules: (round) => [['possible_duplicate', 0, String(round)]] },
  'album title contains': { type: 'album', rules: (round) => [['title', 0, word(round)]] },
  'albums with a song': { type: 'album', rules: (round) => [['song', 0, title(round)]] },
  'artist name contains': { type: 'artist', rules: (round) => [['title', 0, word(round)]] },
  'artists with a song': { type: 'artist', rules: (round) => [['song', 0, title(round)]] },
};

const paramsOf = ({ type, operator = 'and', rules }: SearchCase, round: number): Record<string, string | number> => {
  const asked = rules(round);
  if (typeof asked === 'string') return { type, words: asked, limit: PAGE };
  const named = asked.flatMap(([name, number, input], index) => [
    [`rule_${index + 1}`, name],
    [`rule_${index + 1}_operator`, number],
    [`rule_${index + 1}_input`, input],
  ]);
  return { type, operator, limit: PAGE, ...Object.fromEntries(named) };
};

interface Times {
  readonly first: Summary;
  readonly kept: Summary;
}

const timesOf = async (natives: readonly NativeClient[], search: SearchCase): Promise<Times[]> => {
  const step = (native: NativeClient) => (round: number) => native.call('advanced_search', paramsOf(search, round));
  const first = await timedInTurn(natives.map(step), FIRST);
  const kept = await timedInTurn(
    natives.map((native) => () => step(native)(0)),
    KEPT,
  );
  return first.map((summary, index) => ({ first: summary, kept: kept[index] ?? summary }));
};

/** Searches faster than this at any size need no comparison: the clock and the scheduler decide. */
const UNDISPUTED_MS = 5;

const ratioTo = (base: Summary, own: Summary): number => Math.max(own.p50, UNDISPUTED_MS) / Math.max(base.p50, UNDISPUTED_MS);

const measurementsOf = (label: string, songs: number, own: Times, base: Times): Measurement[] => {
  const what = `${label}, ${formatCount(songs)} songs`;
  const first: Measurement = {
    what: `${what}, first time, p50`,
    value: own.first.p50,
    unit: 'ms',
    note: `max ${own.first.max.toFixed(0)}`,
  };
  const kept: Measurement = { what: `${what}, again, p95`, value: own.kept.p95, unit: 'ms', budget: { atMost: KEPT_BUDGET_MS } };
  if (own === base) return [first, kept];
  const grown: Measurement = { what: `${what}, first time against the smallest`, value: ratioTo(base.first, own.first), unit: '×' };
  return [first, grown, kept];
};

/** Looks for the same things at every size: the first time, which makes the list, and again, which cuts a page out of it. */
export const measureSearches = async (sized: readonly SizedServer[]): Promise<Measurement[]> => {
  const natives: NativeClient[] = [];
  try {
    for (const { server } of sized) natives.push(await NativeClient.login(server));
    const measured: Measurement[] = [];
    for (const [label, search] of Object.entries(cases)) {
      const times = await timesOf(natives, search);
      const [base] = times;
      if (base) measured.push(...times.flatMap((own, index) => measurementsOf(label, sized[index]?.songs ?? 0, own, base)));
    }
    return measured;
  } finally {
    for (const native of natives) native.close();
  }
};
