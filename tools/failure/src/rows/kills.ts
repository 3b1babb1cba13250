import type { ServiceName } from '../cluster/cluster.js';
import { killSeries, type KillSeries } from '../killing/killer.js';
import { PLAYS } from '../plays/play-checks.js';
import type { RowOptions, RowReport } from './row.js';
import { underLoad, type Plan } from './under-load.js';

const MAX_GAP_MS = 2500;

type Kills = Pick<KillSeries, 'victims' | 'rivals'> &
  Pick<Plan, 'row' | 'writers' | 'listeners'> & { readonly services: readonly ServiceName[] };

const loadUnderKills = (options: RowOptions, { services, victims, rivals, ...plan }: Kills): Promise<RowReport> =>
  underLoad(options, {
    ...plan,
    cluster: { services },
    fault: ({ cluster, load, random, rounds, say }) =>
      killSeries(cluster, {
        rounds,
        victims,
        rivals,
        random,
        maxGapMs: MAX_GAP_MS,
        busy: () => Promise.resolve(),
        interrupted: () => Promise.resolve(`${load.client.acknowledged} commands acknowledged`),
        say,
      }),
  });

/** Library replicas, NATS and Postgres are killed while writers send folders to the library. */
export const killWrites = (options: RowOptions): Promise<RowReport> =>
  loadUnderKills(options, {
    row: 'kill-writes',
    services: ['library-1', 'library-2'],
    writers: options.isShort ? 3 : 6,
    victims: ['projector', 'library', 'nats', 'postgres', 'everything'],
  });

/** Playback replicas, NATS and Postgres are killed while listeners play, skip and send lists. */
export const killPlays = (options: RowOptions): Promise<RowReport> =>
  loadUnderKills(options, {
    row: 'kill-plays',
    services: ['library-1', 'playback-1', 'playback-2'],
    writers: 0,
    listeners: options.isShort ? 4 : 6,
    victims: ['projector', 'standby', 'nats', 'postgres', 'everything'],
    rivals: { projection: PLAYS.projection, replicas: ['playback-1', 'playback-2'] },
  });
