import { rebuildSubject, type RebuildReport } from '@continuo/chassis';
import { sql } from 'kysely';
import { noneOf } from '../checks/finding.js';
import type { RowReport } from '../rows/row.js';
import { present } from './build.js';
import { Fleet, placesOf } from './fleet.js';
import { Traffic, type TrafficOptions } from './traffic/traffic.js';

/** Options of the scenario. */
export interface RebuildWhileServing extends TrafficOptions {
  readonly say?: ((line: string) => void) | undefined;
}

const SEED = 7;
const REBUILD_MS = 600_000;

/** Outcome of one rebuild. */
interface Rebuilt {
  readonly projection: string;
  readonly durationMs: number;
  readonly events: number;
  readonly tables: number;
  readonly differing: readonly string[];
}

/**
 * Rebuilds the tables of every projection there is, one after the other, and puts the new ones in place, while people read, write, listen and scan. No request may fail, each reader sees
 * what they wrote, and the rebuilt tables are those that were there.
 */
export const rebuildWhileServing = async (options: RebuildWhileServing): Promise<RowReport> => {
  const startedAt = Date.now();
  const { say = () => undefined } = options;
  const fleet = await Fleet.start(options.home);
  try {
    for (const place of placesOf(false)) await fleet.launch(place, present);
    await fleet.ready();
    const traffic = await Traffic.start(fleet, options);
    const rebuilt: Rebuilt[] = [];
    const [fault] = await Promise.allSettled([
      rebuildAll(fleet, (one) => {
        rebuilt.push(one);
        say(`${one.projection} in ${one.durationMs} ms; ${traffic.client.total} requests, ${traffic.client.failed.length} failed`);
      }),
    ]);
    await traffic.stop();
    const findings = [
      noneOf('projections that were not rebuilt', fault?.status === 'rejected' ? [String(fault.reason)] : [], `none of ${rebuilt.length}`),
      noneOf(
        'rebuilt and other than before',
        rebuilt
          .filter(({ differing }) => differing.length > 0)
          .map(({ projection, differing }) => `${projection}: ${differing.join(', ')}`),
      ),
      traffic.behindOwnWrites(),
      ...(await traffic.check()),
    ];
    const figures = { ...traffic.figures(), rebuilt };
    return {
      row: 'rebuild-while-serving',
      seed: SEED,
      durationMs: Date.now() - startedAt,
      faults: rebuilt.length,
      writes: traffic.acknowledgedWrites,
      findings,
      figures,
      selfExits: fleet.selfExits(),
    };
  } finally {
    await fleet.stop();
  }
};

const rebuildAll = async (fleet: Fleet, onRebuilt: (one: Rebuilt) => void): Promise<void> => {
  const { rows } = await sql<{ name: string }>`select name from chassis.projection_checkpoint where state = 'live' order by name`.execute(
    fleet.db,
  );
  for (const { name } of rows) onRebuilt(await rebuildOne(fleet, name));
};

/** Asks the owner of a projection as `continuo projections rebuild` does. @throws Error when it could not be done */
const rebuildOne = async ({ nats }: Fleet, name: string): Promise<Rebuilt> => {
  const answer = await nats.request(rebuildSubject(name), JSON.stringify({ mode: 'replace' }), { timeout: REBUILD_MS });
  const outcome = answer.json<{ ok: true; report: RebuildReport } | { ok: false; message: string }>();
  if (!outcome.ok) throw new Error(`${name}: ${outcome.message}`);
  const { durationMs, position, digests, differing } = outcome.report;
  return { projection: name, durationMs, events: position, tables: Object.keys(digests).length, differing };
};
