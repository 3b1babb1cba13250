import { Rejection } from '@continuo/contracts';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { logIsFull } from '../persistence/full-storage.js';
import { recordingLog } from '../../test/recording-log.js';
import { LogWrites } from './log-writes.js';
import type { LogStateMessage } from './write-probe.js';

const FULL = 'the event log cannot be written: no space left';
const silent = (): Rejection => new Rejection('unavailable', undefined, undefined, { cause: new errors.TimeoutError() });

/** One process with a disk and a NATS that do as they are told. */
const world = () => {
  const state = { scarce: false, fault: undefined as string | undefined, probes: 0, told: [] as LogStateMessage[] };
  let hear: (news: LogStateMessage) => void = () => undefined;
  const statuses = { async *[Symbol.asyncIterator]() {} };
  const registry = new Registry();
  const writes = new LogWrites({
    nats: { status: () => statuses } as unknown as NatsConnection,
    probe: {
      run: () => {
        state.probes += 1;
        return Promise.resolve(state.fault);
      },
      follow: (notify) => (hear = notify),
      tell: (outcome, stream) => void state.told.push({ outcome, ...(stream ? { stream } : {}) }),
    },
    room: { isScarce: () => Promise.resolve(state.scarce) },
    log: recordingLog().log,
    registry,
  });
  return { state, writes, hear: (news: LogStateMessage) => hear(news), metric: () => registry.metrics() };
};

let at: ReturnType<typeof world>;
beforeEach(() => {
  vi.useFakeTimers();
  at = world();
});
afterEach(async () => {
  await at.writes.stop();
  vi.useRealTimers();
});

const append = (outcome: () => Promise<number>): Promise<number> => at.writes.run('EV_LIBRARY', outcome);
const never = (): Promise<number> => new Promise(() => undefined);
const refusalOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => undefined).catch((error: unknown) => error);
const written = (): Promise<number> => Promise.resolve(1);

describe('appends to the event log', () => {
  it('go through while there is room', async () => {
    expect(await append(written)).toBe(1);
    expect(at.writes.fault).toBeUndefined();
    expect(await at.metric()).toContain('continuo_event_log_writable 1');
  });

  it('are refused with the reason, unwritten, while the room is scarce, and go on when there is room', async () => {
    await at.writes.start();
    at.state.scarce = true;
    let attempts = 0;
    const outcome = (): Promise<number> => Promise.resolve((attempts += 1));
    await expect(append(outcome)).rejects.toMatchObject({ code: 'unavailable', message: FULL });
    expect(attempts).toBe(0);
    expect(await at.metric()).toContain('continuo_event_log_writable 0');
    at.state.scarce = false;
    await vi.advanceTimersByTimeAsync(3500);
    expect(await append(written)).toBe(1);
    expect(at.writes.fault).toBeUndefined();
  });

  it('tell the reason of NATS when it refuses', async () => {
    await expect(append(() => Promise.reject(logIsFull('insufficient resources')))).rejects.toMatchObject({ message: FULL });
    expect(at.writes.fault).toBe(FULL);
    expect(at.state.told).toEqual([{ outcome: 'failed' }]);
  });

  it('are told the reason before their caller gives up when nothing is acknowledged', async () => {
    at.state.fault = FULL;
    const [outcome] = await Promise.all([refusalOf(append(never)), vi.advanceTimersByTimeAsync(1000)]);
    expect(outcome).toMatchObject({ code: 'unavailable', message: FULL });
  });

  it('make their stream suspect when only they are not acknowledged, until one is', async () => {
    const [outcome] = await Promise.all([refusalOf(append(never)), vi.advanceTimersByTimeAsync(3500)]);
    expect(outcome).toMatchObject({ message: expect.stringMatching(/NATS does not acknowledge/) });
    expect(at.writes.fault).toMatch(/NATS does not acknowledge/);
    await expect(append(() => Promise.reject(silent()))).rejects.toThrow(/NATS does not acknowledge/);
    expect(await append(written)).toBe(1);
    expect(at.writes.fault).toBeUndefined();
    expect(at.state.told).toEqual([
      { outcome: 'failed', stream: 'EV_LIBRARY' },
      { outcome: 'recovered', stream: 'EV_LIBRARY' },
    ]);
  });

  it('keep other errors as they are', async () => {
    const conflict = new Error('somebody else was faster');
    await expect(append(() => Promise.reject(conflict))).rejects.toBe(conflict);
    expect(at.writes.fault).toBeUndefined();
  });
});

describe('the probe', () => {
  it('is left out while a process has written within the minute, and comes every three seconds while it fails', async () => {
    await at.writes.start();
    expect(at.state.probes).toBe(1);
    await vi.advanceTimersByTimeAsync(40_000);
    at.hear({ outcome: 'stored' });
    await vi.advanceTimersByTimeAsync(45_000);
    expect(at.state.probes).toBe(1);
    at.state.fault = FULL;
    at.hear({ outcome: 'failed', stream: '' });
    await vi.advanceTimersByTimeAsync(9000);
    expect(at.state.probes).toBeGreaterThanOrEqual(3);
    expect(at.writes.fault).toBe(FULL);
    at.state.fault = undefined;
    await vi.advanceTimersByTimeAsync(4000);
    expect(at.writes.fault).toBeUndefined();
  });
});
