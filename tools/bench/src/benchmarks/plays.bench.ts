import { requestRebuild } from '@continuo/operations';
import { recordPlays, type SongId, type UserId } from '@continuo/contracts';
import { NativeClient } from '../harness/native-client.js';
import type { StandaloneProcess } from '../harness/standalone-process.js';
import type { Measurement } from '../measure/report.js';
import { timed, type Summary } from '../measure/stats.js';
import { measureSustainedPlays } from './sustained-plays.js';

/** Plays of one command, the most that it takes. */
const PER_COMMAND = 1000;
/** More plays than this are not written: they would take minutes and show nothing new. */
const MOST_PLAYS = 200_000;
const LISTENERS = 20;
const WEEK_MS = 7 * 86_400_000;
const PAGE = 100;
const RUNS = { times: 20, warmUps: 3 };
/** A number without a common divisor with any size of library, which spreads plays over the songs. */
const STRIDE = 7919;

/** Writes a play of each song, spread over a week and some listeners; answers plays per second until they can be read. */
const writePlays = async ({ session }: StandaloneProcess, songs: number): Promise<{ plays: number; perSecond: number }> => {
  const plays = Math.min(songs, MOST_PLAYS);
  const began = performance.now();
  const now = Date.now();
  for (let from = 0; from < plays; from += PER_COMMAND) {
    const list = Array.from({ length: Math.min(PER_COMMAND, plays - from) }, (_, n) => ({
      songId: ((((from + n) * STRIDE) % songs) + 1) as SongId,
      playedAtMs: now - Math.floor((WEEK_MS * (from + n)) / plays),
    }));
    const userId = (((from / PER_COMMAND) % LISTENERS) + 1) as UserId;
    const { positions } = await session.commands.send(recordPlays, { userId, client: 'bench', plays: list }, session.context());
    if (from + PER_COMMAND >= plays && !(await session.watch.waitFor(positions, 120_000))) throw new Error('plays did not become readable');
  }
  return { plays, perSecond: plays / ((performance.now() - began) / 1000) };
};

/** Calls by label. */
const calls = (native: NativeClient, songs: number): Readonly<Record<string, (round: number) => Promise<unknown>>> => {
  const stats = (type: string, filter: string) => () => native.call('stats', { type, filter, limit: PAGE });
  return {
    'stats song frequent': stats('song', 'frequent'),
    'stats song recent': stats('song', 'recent'),
    'stats album frequent': stats('album', 'frequent'),
    'stats album recent': stats('album', 'recent'),
    'stats album forgotten': stats('album', 'forgotten'),
    'stats artist frequent': stats('artist', 'frequent'),
    'stats artist recent': stats('artist', 'recent'),
    'stats song random': stats('song', 'random'),
    'stats song of a listener': () => native.call('stats', { type: 'song', filter: 'recent', user_id: 1, limit: PAGE }),
    'stats album recent, after another play': async (round) => {
      await native.call('record_play', { filter: 1 + ((round + RUNS.warmUps) % songs) });
      await native.call('stats', { type: 'album', filter: 'recent', limit: PAGE });
    },
    'get_similar song': (round) => native.call('get_similar', { type: 'song', filter: 1 + (((round + RUNS.warmUps) * STRIDE) % songs) }),
    'get_similar artist': (round) => native.call('get_similar', { type: 'artist', filter: 1 + round + RUNS.warmUps }),
    now_playing: () => native.call('now_playing'),
  };
};

const P95_BUDGET_MS = 50;

const rows = (label: string, { p50, p95, max }: Summary): Measurement[] => [
  {
    what: `${label}, p95`,
    value: p95,
    unit: 'ms',
    budget: { atMost: P95_BUDGET_MS },
    note: `p50 ${p50.toFixed(1)}, slowest ${max.toFixed(1)}`,
  },
];

/** Records plays of a library and asks for what is played most, latest and least, and for what is alike. */
export const measurePlays = async (server: StandaloneProcess, songs: number): Promise<Measurement[]> => {
  const { plays, perSecond } = await writePlays(server, songs);
  const measurements: Measurement[] = [
    { what: 'plays recorded until readable', value: perSecond, unit: 'plays/s', note: `${plays} plays` },
  ];
  measurements.push(...(await measureSustainedPlays(server, songs)));
  const native = await NativeClient.login(server);
  try {
    for (const [label, call] of Object.entries(calls(native, songs))) {
      const first = await timed(call, { times: 1, warmUps: 0 });
      measurements.push({ what: `${label}, first time`, value: first.max, unit: 'ms' }, ...rows(label, await timed(call, RUNS)));
    }
  } finally {
    native.close();
  }
  const report = await requestRebuild(server.session, 'playback-plays', { mode: 'verify' });
  measurements.push({ what: 'rebuild of plays with comparison', value: report.durationMs / 1000, unit: 's' });
  measurements.push({ what: 'tables that differ after it', value: report.differing.length, unit: 'tables', budget: { atMost: 0 } });
  return measurements;
};
