import { sql, type Kysely } from 'kysely';
import { fault, ok, warning, type Finding } from './finding.js';

/** The services by the names under which they connect; without the last one everything else works. */
const SERVICES = ['gateway', 'library', 'social', 'ingestion', 'playback', 'transcoding', 'sonic'] as const;
/** All of them in one process, which share its connections. */
const STANDALONE = 'standalone';
const OPTIONAL: ReadonlySet<string> = new Set(['sonic']);

/** Every service is connected to this database. Postgres knows who is; copies of one service on one machine count as one. */
export const checkPresence = async (db: Kysely<never>): Promise<Finding[]> => {
  const { rows } = await sql<{ name: string; machines: string }>`
    select substring(application_name from '^continuo-([a-z]+)') as name, count(distinct coalesce(client_addr::text, '')) as machines
    from pg_stat_activity where datname = current_database() and application_name like 'continuo-%' group by 1`.execute(db);
  const machines = new Map(rows.map((row) => [row.name, Number(row.machines)]));
  return SERVICES.map((name) => {
    const count = machines.get(name) ?? machines.get(STANDALONE);
    const subject = `Service ${name}`;
    if (count !== undefined) return ok(subject, count === 1 ? 'connected' : `connected from ${count} machines`);
    const absent = OPTIONAL.has(name) ? warning : fault;
    return absent(subject, 'is not connected to the database', 'start it, or look at the last lines of its log');
  });
};
