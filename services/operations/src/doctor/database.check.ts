import { sql, type Kysely } from 'kysely';
import { fault, ok, reasonOf, warning, type Finding } from './finding.js';

/** The first release with everything that the queries use. */
const OLDEST_POSTGRES = 16;
const EXTENSIONS = ['pg_trgm', 'unaccent'];

/** The first release with a locale of its own; before, that of the system does. */
const BUILTIN_LOCALE_SINCE = 17;

/** Remedy: how to create the database. */
const remedyFor = (major: number): string =>
  `create it anew, with: template template0 encoding 'UTF8' ${major < BUILTIN_LOCALE_SINCE ? "lc_collate 'C' lc_ctype 'C.UTF-8'" : "locale_provider builtin locale 'C' builtin_locale 'C.UTF-8'"}`;

/** Postgres answers, is new enough, keeps text as our indexes need it, and has the extensions of the search. */
export const checkDatabase = async (db: Kysely<never>): Promise<Finding[]> => {
  try {
    const version = await sql<{ number: string; text: string }>`
      select current_setting('server_version_num') as number, current_setting('server_version') as text`.execute(db);
    const row = version.rows[0];
    const major = Math.floor(Number(row?.number ?? 0) / 10_000);
    const old = major < OLDEST_POSTGRES;
    const answer = old
      ? fault('Postgres', `version ${row?.text} is too old`, `upgrade to Postgres ${OLDEST_POSTGRES} or newer`)
      : ok('Postgres', `version ${row?.text} answers`);
    return [answer, await checkOrder(db, major), await checkExtensions(db)];
  } catch (error) {
    return [fault('Postgres', `does not answer: ${reasonOf(error)}`, 'is the server running, and DATABASE_URL right?')];
  }
};

/** Pages and prefixes are found by the order of code points, which a database keeps from its making. */
const checkOrder = async (db: Kysely<never>, major: number): Promise<Finding> => {
  const { rows } = await sql<{ points: boolean }>`select 'B' < 'a' as points`.execute(db);
  return rows[0]?.points
    ? ok('Postgres order of text', 'that of code points')
    : fault('Postgres order of text', 'that of a language: lists would come in another order than their pages', remedyFor(major));
};

const checkExtensions = async (db: Kysely<never>): Promise<Finding> => {
  const { rows } = await sql<{ name: string }>`select name from pg_available_extensions where name = any(${EXTENSIONS})`.execute(db);
  const missing = EXTENSIONS.filter((name) => !rows.some((row) => row.name === name));
  return missing.length === 0
    ? ok('Postgres extensions', `${EXTENSIONS.join(', ')} are there`)
    : warning('Postgres extensions', `${missing.join(', ')} missing`, "install the postgresql-contrib package of the database's system");
};
