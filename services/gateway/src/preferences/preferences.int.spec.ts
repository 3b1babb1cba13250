import { projectedSubject } from '@continuo/contracts';
import { testNats, type TestNats } from '@continuo/local-servers';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { testReadModel, type TestReadModel } from '../../test/servers/read-model-database.js';
import { followPreferences, Preferences, readModelPreferences } from './preferences.js';

const log = pino({ level: 'silent' });
const ADA = 7;

interface Gateway {
  readonly preferences: Preferences;
  readonly nats: NatsConnection;
  readings: number;
  fails: boolean;
}

let server: TestNats;
let model: TestReadModel;
let left: Gateway;
let right: Gateway;
let nowMs = 0;
const closing: (() => unknown)[] = [];

const gateway = async (): Promise<Gateway> => {
  const nats = await connect({ servers: server.url });
  const read = readModelPreferences(model.read);
  const made = { nats, readings: 0, fails: false };
  const source = async () => {
    made.readings += 1;
    if (made.fails) throw new Error('the database is away');
    return read();
  };
  const preferences = new Preferences({ source, log, now: () => nowMs, defaults: { popular_threshold: '25' } });
  const unfollow = followPreferences(nats, preferences);
  await nats.flush();
  closing.push(async () => {
    unfollow();
    await nats.close();
  });
  return Object.assign(made, { preferences });
};

/** Writes a value as the projection does. */
const set = async (userId: number, preferenceId: number, value: string): Promise<void> => {
  await model.write
    .insertInto('social.user_preference')
    .values({ user_id: userId, preference_id: preferenceId, value })
    .onConflict((conflict) => conflict.columns(['user_id', 'preference_id']).doUpdateSet({ value }))
    .execute();
  left.nats.publish(projectedSubject('social-preferences'), '{}');
};

beforeAll(async () => {
  [server, model] = await Promise.all([testNats(), testReadModel()]);
  [left, right] = [await gateway(), await gateway()];
});
afterAll(async () => {
  for (const close of closing) await close();
  await Promise.all([server.stop(), model.close()]);
});

describe('preferences of two gateways', () => {
  it('change on both within a second', async () => {
    expect(await right.preferences.preferenceOf(ADA, 'album_sort')).toBe('0');
    await set(ADA, 30, 'name_desc');
    for (const { preferences } of [left, right])
      await vi.waitFor(async () => expect(await preferences.preferenceOf(ADA, 'album_sort')).toBe('name_desc'), { timeout: 20_000 });
    expect(await right.preferences.preferenceOf(ADA + 1, 'album_sort')).toBe('0');
    expect(await right.preferences.isOn(ADA, 'allow_personal_info_recent')).toBe(true);
    expect((await right.preferences.current()).numberOf(ADA, 'popular_threshold')).toBe(25);
  });

  it('cost no reading while nothing changes, and one when many ask after a change', async () => {
    await right.preferences.current();
    const before = right.readings;
    for (let call = 0; call < 100; call += 1) await right.preferences.preferenceOf(ADA, 'album_sort');
    expect(right.readings).toBe(before);
    right.preferences.noteChange();
    await Promise.all(Array.from({ length: 50 }, () => right.preferences.current()));
    expect(right.readings).toBe(before + 1);
  });

  it('are read again now and then, should a notice be lost', async () => {
    await model.write.updateTable('social.user_preference').set({ value: 'year_asc' }).where('user_id', '=', ADA).execute();
    nowMs += 31_000;
    await right.preferences.current();
    await vi.waitFor(async () => expect(await right.preferences.preferenceOf(ADA, 'album_sort')).toBe('year_asc'), { timeout: 20_000 });
  });

  it('stay as they were while the database is away, and are unavailable when they were never read', async () => {
    right.fails = true;
    right.preferences.noteChange();
    expect(await right.preferences.preferenceOf(ADA, 'album_sort')).toBe('year_asc');
    right.fails = false;
    await set(ADA, 30, 'name_asc');
    await vi.waitFor(async () => expect(await right.preferences.preferenceOf(ADA, 'album_sort')).toBe('name_asc'), { timeout: 20_000 });
    const never = new Preferences({ source: () => Promise.reject(new Error('away')), log, now: () => 0 });
    await expect(never.current()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('of ten thousand accounts are read in little time', async () => {
    const rows = Array.from({ length: 30_000 }, (_, n) => ({
      user_id: 100 + (n % 10_000),
      preference_id: 10 + Math.floor(n / 10_000),
      value: '0',
    }));
    for (let from = 0; from < rows.length; from += 5000)
      await model.write
        .insertInto('social.user_preference')
        .values(rows.slice(from, from + 5000))
        .execute();
    left.preferences.noteChange();
    const startedMs = performance.now();
    expect(await left.preferences.isOn(5000, 'api_enable_3')).toBe(false);
    const tookMs = performance.now() - startedMs;
    console.info(`30,000 values of 10,000 accounts read in ${Math.round(tookMs)} ms`);
  });
});
