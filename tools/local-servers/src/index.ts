export { freePort } from './free-port.js';
export { LocalServerError } from './error.js';
export { signal, workingDirectory } from './child/process-table.js';
export { startServerProcess, type Ended, type ServerCommand, type ServerProcess } from './child/server-process.js';
export { DEX_PASSWORD, locateDex, testDex, type DexOptions, type DexUser, type TestDex } from './dex/test-dex.js';
export { testKeycloak, type TestKeycloak } from './keycloak/test-keycloak.js';
export { locateSlapd, testSlapd, type DirectoryPerson, type TestSlapd } from './slapd/test-slapd.js';
export { locateProgram } from './locate-program.js';
export { locateMpd } from './mpd/locate-mpd.js';
export { testMpd, type TestMpd } from './mpd/test-mpd.js';
export { cutBlock, flipBit } from './nats/damage.js';
export { locateNats, locateNewerNats, requiredNatsVersion, type NatsBinary } from './nats/locate-nats.js';
export { NatsRecovery, type NatsRecoveryOptions } from './nats/nats-recovery.js';
export { startNats, type NatsOptions, type NatsServer } from './nats/start-nats.js';
export { testNats, type TestNats } from './nats/test-nats.js';
export { locatePgbouncer, testPgbouncer, type TestPgbouncer } from './postgres/test-pgbouncer.js';
export { startPostgres, type PostgresOptions, type PostgresServer } from './postgres/start-postgres.js';
export {
  initialiseForTest,
  ownTestPostgres,
  testPostgres,
  type OwnTestPostgres,
  type TestDatabase,
  type TestPostgres,
} from './postgres/test-postgres.js';
export { testStandby, type TestStandby } from './postgres/test-standby.js';
export { SmallDisk } from './small-disk.js';
