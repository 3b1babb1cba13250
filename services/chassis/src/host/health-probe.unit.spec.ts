import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { HealthProbe, type ProbedConnections } from './health-probe.js';

const FULL = 'the event log cannot be written: no space left';
const statuses: { type: string }[] = [];
const state: { fault: string | undefined } = { fault: undefined };
let wake = (): void => undefined;
let isClosed = false;
const nats = {
  isClosed: () => isClosed,
  status: () => ({
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (statuses.length > 0) yield statuses.shift();
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  }),
};
const database = { isAnswering: true };
const logWrites = {
  get fault() {
    return state.fault;
  },
};
const probe = new HealthProbe({ nats, logWrites, database } as unknown as ProbedConnections, undefined);

const reader = new HealthProbe(
  { nats, logWrites, database, definition: { readsWithoutNats: true } } as unknown as ProbedConnections,
  undefined,
);

const become = async (type: string): Promise<void> => {
  statuses.push({ type });
  wake();
  await nextTurn();
};

afterAll(() => Promise.all([probe.stop(), reader.stop()]));

it('says of NATS whether it answers and why the log cannot be written, whichever comes first', async () => {
  await nextTurn();
  expect(probe.readiness()).toMatchObject({ ready: true, parts: { nats: 'ok' } });
  state.fault = FULL;
  expect(probe.readiness()).toMatchObject({ ready: true, parts: { nats: FULL } });
  await become('disconnect');
  expect(probe.readiness()).toMatchObject({ ready: false, parts: { nats: `does not answer; ${FULL}` } });
  state.fault = undefined;
  expect(probe.readiness()).toMatchObject({ ready: false, parts: { nats: 'does not answer' } });
  await become('reconnect');
  expect(probe.readiness()).toMatchObject({ ready: true, parts: { nats: 'ok' } });
});

it('is not ready while the database does not answer', () => {
  database.isAnswering = false;
  expect(probe.readiness()).toMatchObject({ ready: false, parts: { database: 'does not answer' } });
  database.isAnswering = true;
  expect(probe.readiness()).toMatchObject({ ready: true, parts: { database: 'ok' } });
});

it('stays ready without NATS where callers are answered without it, unless the connection is closed for good', async () => {
  await become('disconnect');
  expect(reader.readiness()).toMatchObject({ ready: true, parts: { nats: 'does not answer' } });
  isClosed = true;
  expect(reader.readiness()).toMatchObject({ ready: false });
  isClosed = false;
  await become('reconnect');
  expect(reader.readiness()).toMatchObject({ ready: true, parts: { nats: 'ok' } });
});
