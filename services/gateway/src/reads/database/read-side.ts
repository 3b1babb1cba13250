import { poll, type ReadCheckpoints } from '@continuo/chassis';
import { Rejection } from '@continuo/contracts';

/** Longest wait for a replica, ms. */
const PATIENCE_MS = 5000;
const PAUSE_MS = 10;

/** Positions of the tables that the gateway reads. */
export interface ReadSide {
  /** Positions of the projections in the tables that are read. */
  readonly readCheckpoints: ReadCheckpoints;
  /** True when the tables that are read may be behind what the projections say that they have committed. */
  readonly isBehind: boolean;
  /**
   * Resolves once the tables that are read hold what these projections had committed when this was called.
   * @throws Rejection `unavailable` when they do not within five seconds
   */
  readonly caughtUp: (projections: readonly string[]) => Promise<void>;
}

/** The settings that say where tables are written and where they are read. */
export interface ReadSettings {
  readonly DATABASE_URL: string;
  readonly DATABASE_READ_URL?: string | undefined;
}

/** Server and database that an address leads to, whoever logs in. */
const placeOf = (address: string): string => {
  if (!URL.canParse(address)) return address;
  const { hostname, port, pathname, searchParams } = new URL(address);
  return [searchParams.get('host') ?? hostname, searchParams.get('port') ?? (port || '5432'), pathname].join(' ');
};

/** True when reads go to another address than the services write to: a replica, which is always a little behind. */
export const readsElsewhere = ({ DATABASE_URL, DATABASE_READ_URL }: ReadSettings): boolean =>
  DATABASE_READ_URL !== undefined && placeOf(DATABASE_READ_URL) !== placeOf(DATABASE_URL);

/** The tables are read where they are written. */
export const sameSide = (readCheckpoints: ReadCheckpoints): ReadSide => ({
  readCheckpoints,
  isBehind: false,
  caughtUp: async () => undefined,
});

/**
 * The tables are read from a replica.
 * @param committed positions where the tables are written
 * @param readCheckpoints positions in the replica
 */
export const replicaSide = (committed: ReadCheckpoints, readCheckpoints: ReadCheckpoints, patienceMs = PATIENCE_MS): ReadSide => ({
  readCheckpoints,
  isBehind: true,
  caughtUp: async (projections) => {
    const wanted = await committed();
    const isThere = async (): Promise<true | undefined> => {
      const there = await readCheckpoints();
      return projections.every((name) => (there.get(name) ?? -1) >= (wanted.get(name) ?? -1)) || undefined;
    };
    if (!(await poll(isThere, { everyMs: PAUSE_MS, withinMs: patienceMs })))
      throw new Rejection('unavailable', 'the replica of the database is too far behind');
  },
});
