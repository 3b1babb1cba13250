import { readFile } from 'node:fs/promises';
import { sql, type Kysely } from 'kysely';

/** Answers how much CPU time, ms, the connections of a pool have taken so far. */
export type CpuClock = () => Promise<number>;

const NS_PER_MS = 1e6;

/** CPU time of one process as Linux's scheduler counts it, ms; 0 where there is no such count, or the process has gone. */
const cpuOf = async (pid: number): Promise<number> => {
  const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '0');
  return Number(text.split(' ')[0]) / NS_PER_MS;
};

/**
 * Measures the CPU time of this application's connections to a local Postgres. Unlike wall-clock time it does not depend on what else the machine
 * does. All connections of the pool have to be open already. Always 0 where there is no Linux.
 */
export const postgresCpu = async (db: Kysely<unknown>, applicationName: string): Promise<CpuClock> => {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity where application_name = ${applicationName}`.execute(db);
  return async () => (await Promise.all(rows.map(({ pid }) => cpuOf(pid)))).reduce((sum, ms) => sum + ms, 0);
};
