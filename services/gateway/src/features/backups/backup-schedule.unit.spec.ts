import { recordingLog } from '@continuo/chassis/testkit';
import { Rejection } from '@continuo/contracts';
import { expect, it } from 'vitest';
import type { WorkOrder } from '../operations/long-work.js';
import { BackupSchedule, type ScheduleServices } from './backup-schedule.js';

const HOUR_MS = 3_600_000;
const MIDNIGHT = Date.UTC(2026, 10, 21);

interface World {
  nowMs: number;
  isAway: boolean;
  readonly orders: WorkOrder[];
  readonly lines: readonly Record<string, unknown>[];
  gateway(): BackupSchedule;
}

const world = (settings: Partial<ScheduleServices['config']> = {}, names: readonly string[] = []): World => {
  const { log, lines } = recordingLog();
  const orders: WorkOrder[] = [];
  const library = { nameOf: (at: Date) => `continuo-${at.toISOString()}`, backupNames: async () => names };
  const config = { BACKUP_FOLDER: '/backups', BACKUP_SCHEDULE: '0 3 * * *', BACKUP_SCHEDULE_ZONE: 'UTC', BACKUP_KEEP: 7, ...settings };
  const turns = new Set<string>();
  const takeTurn = async (turn: string): Promise<boolean> => !turns.has(turn) && turns.add(turn).has(turn);
  const start = async (order: WorkOrder) => {
    if (state.isAway) throw new Rejection('unavailable');
    orders.push(order);
    return { subject: order.subject };
  };
  const services = {
    config,
    log,
    now: () => state.nowMs,
    longWork: { start, list: async () => [] },
    operations: { open: async () => ({ library }) },
  } as unknown as ScheduleServices;
  const state: World = { nowMs: MIDNIGHT, isAway: false, orders, lines, gateway: () => new BackupSchedule(services, takeTurn) };
  return state;
};

it('takes one backup at each turn, however many gateways look how often', async () => {
  const state = world();
  const gateways = [state.gateway(), state.gateway()];
  const look = async (hours: number): Promise<number> => {
    state.nowMs = MIDNIGHT + hours * HOUR_MS;
    for (const gateway of [...gateways, ...gateways]) await gateway.look();
    return state.orders.length;
  };
  expect([await look(0), await look(2.9), await look(3), await look(3.1), await look(26), await look(27.5)]).toEqual([0, 0, 1, 1, 1, 2]);
  expect(state.orders[0]).toMatchObject({ kind: 'backup', options: { database: true, keep: 7 }, context: { actor: 'system' } });
});

it('takes the backup late whose turn has come while the server was off, and once', async () => {
  const state = world({}, ['continuo-2026-11-17T03-00-04Z', 'continuo-2026-11-18T03-00-04Z']);
  const gateway = state.gateway();
  await gateway.look();
  await gateway.look();
  expect(state.orders).toHaveLength(1);
});

it('means its time in the zone of the setting', async () => {
  const state = world({ BACKUP_SCHEDULE_ZONE: 'Europe/Berlin' });
  const gateway = state.gateway();
  await gateway.look();
  state.nowMs = MIDNIGHT + 2 * HOUR_MS;
  await gateway.look();
  expect(state.orders).toHaveLength(1);
});

it('takes none without a schedule or a folder', async () => {
  for (const settings of [{ BACKUP_SCHEDULE: '' }, { BACKUP_FOLDER: undefined }]) {
    const state = world(settings);
    const gateway = state.gateway();
    await gateway.look();
    state.nowMs += 48 * HOUR_MS;
    await gateway.look();
    expect(state.orders).toEqual([]);
  }
});

it('says when a backup could not be taken, and goes on at the next turn', async () => {
  const state = world();
  const gateway = state.gateway();
  await gateway.look();
  state.isAway = true;
  state.nowMs = MIDNIGHT + 3 * HOUR_MS;
  await gateway.look();
  await gateway.look();
  expect(state.lines.filter(({ msg }) => String(msg).startsWith('Failed to take the scheduled backup'))).toHaveLength(1);
  state.isAway = false;
  state.nowMs = MIDNIGHT + 27 * HOUR_MS;
  await gateway.look();
  expect(state.orders).toHaveLength(1);
});
