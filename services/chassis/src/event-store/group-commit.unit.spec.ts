import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { GroupCommit, type Groupable, type Written } from './group-commit.js';

interface Append extends Groupable {
  readonly name: string;
}
const append = (name: string, size = 1, subject = name): Append => ({ name, size, subjects: [subject] });
class Refused extends Error {}

/** A log that answers when it is told to. */
const heldLog = () => {
  const writes: { readonly names: readonly string[]; readonly end: (error?: Error) => void }[] = [];
  let position = 0;
  const write = (appends: readonly Append[]): Promise<Written> =>
    new Promise((resolve, reject) => {
      const end = (error?: Error): void => {
        if (error) return reject(error);
        position += appends.reduce((sum, { size }) => sum + size, 0);
        resolve({ position });
      };
      writes.push({ names: appends.map(({ name }) => name), end });
    });
  const clock = { ms: 0 };
  const log = new GroupCommit<Append>(
    { alone: (one) => write([one]), together: write, isRefusal: (error) => error instanceof Refused },
    () => clock.ms,
  );
  return {
    log,
    clock,
    names: () => writes.map((one) => one.names),
    end: async (n: number, error?: Error) => (writes[n]?.end(error), turn()),
  };
};

describe('appends that come together', () => {
  it('do not wait while there are few of them', async () => {
    const { log, names, end } = heldLog();
    const written = [log.append(append('a')), log.append(append('b'))];
    expect(names()).toEqual([['a'], ['b']]);
    await end(0);
    await end(1);
    expect(await Promise.all(written)).toEqual([{ position: 1 }, { position: 2 }]);
  });

  it('share a batch when the log is busy, each with its own position', async () => {
    const { log, names, end } = heldLog();
    const first = [log.append(append('a', 3)), log.append(append('b', 2))];
    const waiting = [log.append(append('c', 4)), log.append(append('d')), log.append(append('e', 2))];
    // A single one is not worth a batch, and overtakes lists, which are of others.
    expect(names()).toEqual([['a'], ['b']]);
    await end(0);
    expect(names().at(-1)).toEqual(['c', 'd', 'e']);
    await end(1);
    await end(2);
    expect(await Promise.all([...first, ...waiting])).toEqual([3, 5, 9, 10, 12].map((position) => ({ position })));
  });

  it('of a crowd share batches though each has one event', async () => {
    const { log, names, end } = heldLog();
    const all = Array.from({ length: 100 }, (_, n) => log.append(append(String(n))));
    expect(names().map((one) => one.length)).toEqual([...Array.from({ length: 32 }, () => 1), 24, 24]);
    for (let n = 0; n < 34; n += 1) await end(n);
    for (let n = 34; n < names().length; n += 1) await end(n);
    expect(new Set((await Promise.all(all)).map(({ position }) => position)).size).toBe(100);
  });

  it('to one subject never share a batch, and keep their order', async () => {
    const { log, names, end } = heldLog();
    for (const name of ['a', 'b']) void log.append(append(name, 2));
    for (const name of ['c1', 'c2']) void log.append(append(name, 2, 'c'));
    void log.append(append('d', 2));
    await end(0);
    expect(names().at(-1)).toEqual(['c1', 'd']);
    await end(1);
    expect(names().at(-1)).toEqual(['c2']);
  });

  it('are no more than a batch holds', async () => {
    const { log, names, end } = heldLog();
    for (const name of ['a', 'b']) void log.append(append(name, 2));
    for (const [name, size] of [
      ['c', 600],
      ['d', 600],
      ['e', 400],
    ] as const)
      void log.append(append(name, size));
    await end(0);
    expect(names().at(-1)).toEqual(['c', 'e']);
  });

  it('go alone once one of them has spoilt a batch, for a while', async () => {
    const { log, clock, names, end } = heldLog();
    for (const name of ['a', 'b', 'c', 'd']) void log.append(append(name, 2)).catch(() => undefined);
    await end(0);
    expect(names().at(-1)).toEqual(['c', 'd']);
    await end(2, new Refused());
    expect(names().slice(-2)).toEqual([['c'], ['d']]);
    void log.append(append('e', 2));
    expect(names().at(-1)).toEqual(['e']);
    for (const n of [1, 3, 4, 5]) await end(n);
    clock.ms = 501;
    for (const name of ['f', 'g', 'h', 'i']) void log.append(append(name, 2));
    await end(6);
    expect(names().at(-1)).toEqual(['h', 'i']);
  });

  it('fail together when nobody knows whether they were written', async () => {
    const { log, end } = heldLog();
    const written = Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => log.append(append(name, 2))));
    await end(0);
    await end(1);
    await end(2, new Error('gone'));
    expect((await written).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
  });

  it('of bulk work wait for more of it after a batch, and others pass them', async () => {
    const { log, clock, names, end } = heldLog();
    const patient = (name: string): Append => ({ ...append(name, 2), isPatient: true });
    void log.append(patient('a'));
    await end(0);
    void log.append(patient('b'));
    void log.append(append('c'));
    expect(names()).toEqual([['a'], ['c']]);
    clock.ms = 101;
    void log.append(patient('d'));
    expect(names().at(-1)).toEqual(['b', 'd']);
    await end(2);
    void log.append(patient('e'));
    void log.append(append('f', 2));
    expect(names().at(-1)).toEqual(['e', 'f']);
    await end(3);
    const crowd = Array.from({ length: 10 }, (_, n) => `g${n}`);
    for (const name of crowd) void log.append(patient(name));
    expect(names().at(-1)).toEqual(crowd);
  });
});
