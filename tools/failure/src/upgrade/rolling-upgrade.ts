import { setTimeout as delay } from 'node:timers/promises';
import { readModelVersions } from '@continuo/contracts';
import { sql } from 'kysely';
import { equal, noneOf, type Finding } from '../checks/finding.js';
import { checkDeadLetters, checkRebuild } from '../checks/rebuild.js';
import { checkAgainstLog, checkTables } from '../checks/tables.js';
import { auditLibraryLog } from '../log/library-log.js';
import { readLog } from '../log/read-log.js';
import type { RowReport } from '../rows/row.js';
import type { Build } from './build.js';
import { Fleet, placesOf, type Place, type Replacement } from './fleet.js';
import { Traffic, type TrafficOptions } from './traffic/traffic.js';

/** Options of the scenario. */
export interface RollingUpgrade extends TrafficOptions {
  /** The releases in turn: the first one is started, each further one replaces it replica by replica. */
  readonly builds: readonly [Build, ...Build[]];
  /** Whether each service has two replicas; one each otherwise, and two gateways always. */
  readonly twice: boolean;
  readonly say?: ((line: string) => void) | undefined;
}

const SEED = 7;
/** Traffic before, between and after the releases, ms. */
const REST_MS = 2000;

/**
 * Replaces every replica of a running system, one by one, from one release to the next, while people read, write, listen and scan through a balancer. No request may fail, nothing
 * acknowledged may be missing or there twice, and rebuilt tables must be equal.
 */
export const rollingUpgrade = async (options: RollingUpgrade): Promise<RowReport> => {
  const startedAt = Date.now();
  const { builds, say = () => undefined } = options;
  const [first, ...later] = builds;
  const fleet = await Fleet.start(options.home);
  try {
    const places = placesOf(options.twice);
    for (const place of places) await fleet.launch(place, first);
    await fleet.ready();
    const traffic = await Traffic.start(fleet, options);
    const replacements: Replacement[] = [];
    const replacing = replaceAll(fleet, { places, builds: later }, (replaced) => {
      replacements.push(replaced);
      say(lineOf(replaced, traffic));
    });
    const [fault] = await Promise.allSettled([replacing.then(() => delay(REST_MS))]);
    await traffic.stop();
    const broken = noneOf('replicas that were not replaced', fault?.status === 'rejected' ? [String(fault.reason)] : []);
    const findings = [
      broken,
      traffic.behindOwnWrites(),
      ...(await traffic.check()),
      ...(await checkFleet(fleet)),
      ...inOrder(replacements),
    ];
    return {
      row: 'rolling-upgrade',
      seed: SEED,
      durationMs: Date.now() - startedAt,
      faults: replacements.length,
      writes: traffic.acknowledgedWrites,
      findings,
      figures: { builds: builds.map(({ name }) => name), ...traffic.figures(), replacements, served: fleet.balancer.served },
      selfExits: fleet.selfExits(),
    };
  } finally {
    await fleet.stop();
  }
};

const replaceAll = async (
  fleet: Fleet,
  { places, builds }: { readonly places: readonly Place[]; readonly builds: readonly Build[] },
  onReplaced: (replaced: Replacement) => void,
): Promise<void> => {
  for (const build of builds) {
    await delay(REST_MS);
    for (const place of places) onReplaced(await fleet.replace(place, build));
  }
};

const lineOf = ({ place, build, readyMs, endMs }: Replacement, { client }: Traffic): string =>
  `${place} is ${build} after ${readyMs} ms, the one before ended in ${endMs} ms; ${client.total} requests, ${client.failed.length} failed`;

const inOrder = (replacements: readonly Replacement[]): Finding[] => [
  noneOf(
    'replicas that did not end in order',
    replacements.filter(({ exitCode }) => exitCode !== 0).map(({ place, build, exitCode }) => `${place} before ${build}: ${exitCode}`),
    `none of ${replacements.length}`,
  ),
];

/** Checks that hold after every replacement. */
const checkFleet = async (fleet: Fleet): Promise<Finding[]> => {
  const findings = [
    ...(await checkTables(fleet.db)),
    ...(await checkAgainstLog(fleet.db, await auditLibraryLog(readLog(fleet.nats, 'EV_LIBRARY')))),
    await checkDeadLetters(fleet.nats),
  ];
  const { rows } = await sql<{ name: string }>`select name from chassis.projection_checkpoint where state = 'live' order by name`.execute(
    fleet.db,
  );
  for (const { name } of rows) {
    const finding = await checkRebuild(fleet.nats, name);
    findings.push({ ...finding, check: `${name}: ${finding.check}` });
  }
  const wanted = Object.keys(readModelVersions).filter((name) => !/^(?:sonic|transcoding)-/.test(name));
  return [...findings, equal('projections of the read model', rows.filter(({ name }) => wanted.includes(name)).length, wanted.length)];
};
