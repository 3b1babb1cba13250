/** The environment as this package reads it, parsed once at import. */
export interface LocalServersConfig {
  /** `NATS_SERVER_BIN`: a nats-server chosen by the operator or found by the set-up; unset means search. */
  readonly natsServerBin: string | undefined;
  /** `NATS_NEWER_BIN`: the nats-server that takes the place of the other one in the test of an upgrade. */
  readonly natsNewerBin: string | undefined;
  /** `MPD_BIN`: the Music Player Daemon that tests start; unset means search. */
  readonly mpdBin: string | undefined;
  /** `DEX_BIN`: the OpenID provider that tests start; unset means search. */
  readonly dexBin: string | undefined;
  /** `KEYCLOAK_HOME`: folder of the Keycloak that tests start; unset means none. */
  readonly keycloakHome: string | undefined;
  /** `SLAPD_BIN`: the OpenLDAP server that tests start; unset means search. */
  readonly slapdBin: string | undefined;
  /** `WEED_BIN`: the SeaweedFS that tests use as S3 storage; unset means a small server in JavaScript. */
  readonly weedBin: string | undefined;
  /** `GARAGE_BIN`: the Garage that they use for it. */
  readonly garageBin: string | undefined;
  /** `MEILI_BIN`: the Meilisearch that tests start; unset means a double of it. */
  readonly meilisearchBin: string | undefined;
  /** `POSTGRES_HOME`: folder with the `bin` of the Postgres that tests start; unset means that of the package. */
  readonly postgresHome: string | undefined;
  /** `PGBOUNCER_BIN`: the pooler that tests start; unset means search. */
  readonly pgbouncerBin: string | undefined;
  /** `CONTINUO_TEST_POOLER`: where it is `pgbouncer`, test files reach the shared Postgres by way of one. */
  readonly testPooler: string | undefined;
  /** `CONTINUO_TEST_POSTGRES_URL`: server shared by all test files of one run, set by the vitest global set-up. */
  readonly testPostgresUrl: string | undefined;
  /** `CONTINUO_TEST_LONG`: tests run in their long form. */
  readonly isLongForm: boolean;
  /** Folders of `PATH` in search order. */
  readonly pathFolders: readonly string[];
}

const read = (env: NodeJS.ProcessEnv): LocalServersConfig =>
  Object.freeze({
    natsServerBin: env['NATS_SERVER_BIN'] || undefined,
    natsNewerBin: env['NATS_NEWER_BIN'] || undefined,
    mpdBin: env['MPD_BIN'] || undefined,
    dexBin: env['DEX_BIN'] || undefined,
    keycloakHome: env['KEYCLOAK_HOME'] || undefined,
    slapdBin: env['SLAPD_BIN'] || undefined,
    weedBin: env['WEED_BIN'] || undefined,
    garageBin: env['GARAGE_BIN'] || undefined,
    meilisearchBin: env['MEILI_BIN'] || undefined,
    postgresHome: env['POSTGRES_HOME'] || undefined,
    pgbouncerBin: env['PGBOUNCER_BIN'] || undefined,
    testPooler: env['CONTINUO_TEST_POOLER'] || undefined,
    testPostgresUrl: env['CONTINUO_TEST_POSTGRES_URL'] || undefined,
    isLongForm: Boolean(env['CONTINUO_TEST_LONG']),
    pathFolders: Object.freeze((env['PATH'] ?? '').split(process.platform === 'win32' ? ';' : ':').filter((folder) => folder !== '')),
  });

/** The only reader of the environment in this package. */
export const config: LocalServersConfig = read(process.env);

/** Announces a shared test server to the worker processes that this process starts from now on. */
export function announceTestPostgres(url: string | undefined): void {
  if (url === undefined) delete process.env['CONTINUO_TEST_POSTGRES_URL'];
  else process.env['CONTINUO_TEST_POSTGRES_URL'] = url;
}
