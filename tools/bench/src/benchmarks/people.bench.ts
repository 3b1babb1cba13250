import { formatCount, requestRebuild } from '@continuo/operations';
import type { UserId } from '@continuo/contracts';
import { CompatClient } from '../harness/compat-client.js';
import { growCommunity, type Habits } from '../harness/community.js';
import { NativeClient } from '../harness/native-client.js';
import type { StandaloneProcess } from '../harness/standalone-process.js';
import type { Measurement } from '../measure/report.js';
import { timedInTurn, timed, type Summary } from '../measure/stats.js';

/** Accounts, smallest first; each rates a hundred songs, so that the last comes to a million ratings. */
const COMMUNITIES = [1000, 10_000];
const RATINGS_EACH = 100;
const PAGE = 500;
const RUNS = { times: 30, warmUps: 5 };
const WRITES = { times: 300, warmUps: 30 };
const P95_BUDGET_MS = 50;
const WRITE_BUDGET_MS = 25;
/** Spreads calls over the accounts and songs. */
const STRIDE = 7919;

type Call = (round: number) => Promise<unknown>;

/** Read calls over annotations and timelines. */
const calls = (native: NativeClient, compat: CompatClient, { songs, people }: { songs: number; people: number }): Record<string, Call> => {
  const somebody = (round: number): number => 2 + (((round + RUNS.warmUps) * STRIDE) % (people - 1));
  return {
    'songs with ratings and averages': (round) => native.call('songs', { limit: PAGE, offset: ((round + RUNS.warmUps) * STRIDE) % songs }),
    'songs by rating': () => native.call('songs', { limit: PAGE, sort: 'rating,DESC' }),
    'stats song highest': () => native.call('stats', { type: 'song', filter: 'highest', limit: PAGE }),
    'stats song flagged': () => native.call('stats', { type: 'song', filter: 'flagged', limit: PAGE }),
    'stats album flagged': () => native.call('stats', { type: 'album', filter: 'flagged', limit: PAGE }),
    'songs rated 5 by me': () =>
      native.call('advanced_search', {
        type: 'song',
        operator: 'and',
        rule_1: 'myrating',
        rule_1_operator: 2,
        rule_1_input: 5,
        limit: PAGE,
      }),
    'songs rated 4 or more on average': () =>
      native.call('advanced_search', { type: 'song', operator: 'and', rule_1: 'rating', rule_1_operator: 0, rule_1_input: 4, limit: PAGE }),
    getStarred2: () => compat.call('getStarred2'),
    'getAlbumList2 highest': () => compat.call('getAlbumList2', { type: 'highest', size: PAGE }),
    'getAlbumList2 starred': () => compat.call('getAlbumList2', { type: 'starred', size: PAGE }),
    'timeline of somebody': (round) => native.call('timeline', { filter: somebody(round), limit: PAGE }),
    'friends_timeline of 200 friends': () => native.call('friends_timeline', { limit: PAGE }),
    'followers of somebody': (round) => native.call('followers', { filter: somebody(round), limit: PAGE }),
    users: () => native.call('users', { limit: PAGE }),
    'users, last page': () => native.call('users', { limit: PAGE, offset: people - PAGE }),
    'one account': (round) => native.call('user', { filter: somebody(round) }),
  };
};

const measured = (label: string, { p50, p95 }: Summary, before: Summary | undefined): Measurement[] => [
  {
    what: `${label}, p95`,
    value: p95,
    unit: 'ms',
    budget: { atMost: P95_BUDGET_MS },
    note: `p50 ${p50.toFixed(1)}${before ? `, ${(p50 / before.p50).toFixed(2)} × that of the smaller community` : ''}`,
  },
];

const readBack = async (native: NativeClient, songs: number, round: number): Promise<void> => {
  const [id, rating] = [1 + (((round + WRITES.warmUps) * STRIDE) % songs), 1 + ((round + WRITES.warmUps) % 5)];
  await native.call('rate', { type: 'song', id, rating });
  const song = await native.json<{ rating: number | null }>('song', { filter: id });
  if (song.rating !== rating) throw new Error(`song ${id} was rated ${rating} and shows ${song.rating}`);
};

/** A rating, and the same with the look at it by the very next call, which must show it. */
const measureWrites = async (native: NativeClient, songs: number): Promise<Measurement[]> => {
  const write = await timed(
    (round) => native.call('rate', { type: 'song', id: 1 + (((round + WRITES.warmUps) * STRIDE) % songs), rating: 1 + ((round + 31) % 5) }),
    WRITES,
  );
  const both = await timed((round) => readBack(native, songs, round + WRITES.times + WRITES.warmUps), WRITES);
  return [
    { what: 'rate until readable, p50', value: write.p50, unit: 'ms' },
    { what: 'rate until readable, p99', value: write.p99, unit: 'ms', budget: { atMost: WRITE_BUDGET_MS } },
    { what: 'rate, then a look at the song that shows it, p99', value: both.p99, unit: 'ms', note: `p50 ${both.p50.toFixed(1)}` },
  ];
};

/** Measures communities of a thousand and of ten thousand accounts: lists of ratings and favourites, timelines, and saying something. */
export const measurePeople = async (server: StandaloneProcess, songs: number): Promise<Measurement[]> => {
  const habits: Habits = {
    songs,
    albums: Math.floor(songs / 12),
    ratingsEach: RATINGS_EACH,
    flagsEach: 10,
    followsEach: 10,
    fromMs: Date.now() - 30 * 86_400_000,
  };
  const measurements: Measurement[] = [];
  let accounts: readonly UserId[] = [];
  let before = new Map<string, Summary>();
  for (const people of COMMUNITIES) {
    const grown = await growCommunity(server, accounts, people, habits);
    const fresh = people - accounts.length;
    ({ accounts } = grown);
    measurements.push(
      { what: `${formatCount(people)} people: registering`, value: fresh / (grown.registerMs / 1000), unit: 'accounts/s' },
      { what: 'what they say, until readable', value: grown.events / (grown.untilReadableMs / 1000), unit: 'events/s' },
    );
    const native = await NativeClient.login(server);
    const compat = new CompatClient(server);
    try {
      const steps = Object.entries(calls(native, compat, { songs, people }));
      const summaries = await timedInTurn(
        steps.map(([, call]) => call),
        RUNS,
      );
      const now = new Map(steps.map(([label], index) => [label, summaries[index] as Summary]));
      measurements.push(...[...now].flatMap(([label, summary]) => measured(label, summary, before.get(label))));
      measurements.push(...(await measureWrites(native, songs)));
      before = now;
    } finally {
      native.close();
      compat.close();
    }
  }
  for (const projection of ['social-annotations', 'social-activity']) {
    const report = await requestRebuild(server.session, projection, { mode: 'verify' });
    measurements.push({ what: `rebuild of ${projection} with comparison`, value: report.durationMs / 1000, unit: 's' });
    measurements.push({ what: 'tables that differ after it', value: report.differing.length, unit: 'tables', budget: { atMost: 0 } });
  }
  return measurements;
};
