import { userId } from '@continuo/contracts';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { rows } from '../../../test/auth/auth.fixture.js';
import { CredentialReader } from './credential-reader.js';
import type { CredentialRows } from './credential-snapshot.js';

const ada = userId.parse(1);

/** A reader over a source that answers when told to. */
const reading = () => {
  const clock = { nowMs: 0 };
  const pending: { resolve: (rows: CredentialRows) => void; reject: (error: Error) => void }[] = [];
  const source = () => new Promise<CredentialRows>((resolve, reject) => pending.push({ resolve, reject }));
  const reader = new CredentialReader({ source, log: pino({ level: 'silent' }), now: () => clock.nowMs, maxAgeMs: 1000 });
  const answer = async (index: number, result: CredentialRows | Error) => {
    await new Promise((done) => setImmediate(done));
    if (result instanceof Error) pending[index]?.reject(result);
    else pending[index]?.resolve(result);
  };
  return { reader, clock, pending, answer };
};

describe('CredentialReader', () => {
  it('reads once for any number of requests', async () => {
    const { reader, pending, answer } = reading();
    const asked = Promise.all([reader.current(), reader.current()]);
    await answer(0, rows);
    const [one, two] = await asked;
    expect(two).toBe(one);
    expect(await reader.current()).toBe(one);
    expect(reader.peek()).toBe(one);
    expect(pending).toHaveLength(1);
  });

  it('waits for a reading that began after the latest change', async () => {
    const { reader, answer } = reading();
    const early = reader.current();
    reader.noteChange();
    const late = reader.current();
    await answer(0, rows);
    await answer(1, { ...rows, users: [] });
    expect((await early).userById(ada)).toBeDefined();
    expect((await late).userById(ada)).toBeUndefined();
  });

  it('rejects requests while its snapshot is known to be outdated', async () => {
    const { reader, answer } = reading();
    const first = reader.current();
    await answer(0, rows);
    await first;
    reader.noteChange();
    expect(reader.peek()).toBeUndefined();
    const second = reader.current();
    await answer(1, new Error('no connection'));
    await expect(second).rejects.toMatchObject({ code: 'unavailable' });
    const third = reader.current();
    await answer(2, rows);
    expect((await third).userById(ada)).toBeDefined();
  });

  it('reloads an old snapshot in the background, and survives a failed reload', async () => {
    const { reader, clock, pending, answer } = reading();
    const first = reader.current();
    await answer(0, rows);
    const snapshot = await first;
    clock.nowMs = 1001;
    expect(await reader.current()).toBe(snapshot);
    expect(pending).toHaveLength(2);
    await answer(1, new Error('no connection'));
    expect(await reader.current()).toBe(snapshot);
  });
});
