import { eventStreams } from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { jetstreamManager, type JetStreamManager, type StreamInfo } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { sql, type Kysely } from 'kysely';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { recordingLog } from '../../../test/recording-log.js';
import { openDatabase } from '../../persistence/database.js';
import { migrate } from '../../persistence/migrate.js';
import { CHASSIS_SCHEMA, chassisMigrations } from '../../projections/checkpoints.js';
import { NotYetReady } from '../../transport/not-yet-ready.js';
import { ensureEventStreams, streamState } from '../streams.js';
import { LogDamaged } from './log-damaged.js';
import { LogWatch } from './log-watch.js';
import { WatchedLog } from './watched-log.js';

const stream = eventStreams.library;
const KNOWN = 119;
const BEHIND = 25;
const LONG_MS = 31_000;

let nats: TestNats;
let postgres: TestPostgres;
let connection: NatsConnection;
let manager: JetStreamManager;
let db: Kysely<unknown>;
/** The end of the stream as the server that is asked knows it, and how many servers keep it. */
let told: { last: number; servers: number };

beforeAll(async () => {
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
  connection = await connect({ servers: nats.url });
  manager = await jetstreamManager(connection);
  db = openDatabase({ url: postgres.url, poolSize: 2, applicationName: 'spec' });
  await ensureEventStreams(manager, ['library'], 1);
  await migrate(db, CHASSIS_SCHEMA, chassisMigrations);
  const { epoch } = await streamState(manager, stream);
  await sql`
    insert into chassis.projection_checkpoint (name, version, generation, state, physical_schema, stream, epoch, position)
    values ('spec', 1, 1, 'live', 'spec', ${stream}, ${epoch}, ${KNOWN})`.execute(db);
});
afterAll(async () => {
  await db.destroy();
  await connection.close();
  await Promise.all([nats.stop(), postgres.stop()]);
});
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** Dependencies of a look at the log; the server says what is told. */
const looking = () => {
  const info = async (): Promise<StreamInfo> => {
    const { config, state, ...rest } = await manager.streams.info(stream);
    const { last, servers } = told;
    return { ...rest, config: { ...config, num_replicas: servers }, state: { ...state, first_seq: 1, last_seq: last, messages: last } };
  };
  const { log, lines } = recordingLog();
  return { nats: connection, manager: { streams: { info } } as unknown as JetStreamManager, db, log, registry: new Registry(), lines };
};

const watched = () => {
  const { lines, ...context } = looking();
  return { log: new WatchedLog(context, stream, new AbortController().signal), lines };
};

describe('a stream that ends before what tables hold', () => {
  it('is damaged at once where one server keeps it', async () => {
    told = { last: BEHIND, servers: 1 };
    const { log } = watched();
    await log.look();
    expect(() => log.assertWhole()).toThrow(LogDamaged);
    expect(log.missingPositions).toBe(KNOWN - BEHIND);
  });

  it('is not damaged where several keep it, of which one was only behind; commands are left to other replicas meanwhile', async () => {
    told = { last: BEHIND, servers: 3 };
    const { log, lines } = watched();
    await log.look();
    expect(() => log.assertWhole()).toThrow(NotYetReady);
    expect([log.isUncertain, log.damage, log.missingPositions]).toEqual([true, undefined, 0]);
    told = { last: KNOWN, servers: 3 };
    await log.look();
    expect(() => log.assertWhole()).not.toThrow();
    expect(lines).toEqual([]);
    // A later time begins anew.
    vi.advanceTimersByTime(LONG_MS);
    told = { last: BEHIND, servers: 3 };
    await log.look();
    expect(() => log.assertWhole()).toThrow(NotYetReady);
  });

  it('is damaged where several keep it and it stays so', async () => {
    told = { last: BEHIND, servers: 3 };
    const { log } = watched();
    await log.look();
    vi.advanceTimersByTime(LONG_MS);
    expect(() => log.assertWhole()).toThrow(NotYetReady);
    await log.look();
    expect(() => log.assertWhole()).toThrow(LogDamaged);
    expect([log.isUncertain, log.missingPositions]).toEqual([false, KNOWN - BEHIND]);
  });

  it('is looked at again soon when that was found as the connection came back', async () => {
    told = { last: KNOWN, servers: 3 };
    const watch = new LogWatch(looking(), ['library']);
    watch.keepOn();
    told = { last: BEHIND, servers: 3 };
    await connection.reconnect();
    await expect.poll(() => watch.assertWhole(stream).catch((error: unknown) => error)).toBeInstanceOf(NotYetReady);
    told = { last: KNOWN, servers: 3 };
    await expect
      .poll(
        () =>
          watch.assertWhole(stream).then(
            () => 'whole',
            () => 'behind',
          ),
        { timeout: 10_000 },
      )
      .toBe('whole');
    await watch.stop();
  });
});
