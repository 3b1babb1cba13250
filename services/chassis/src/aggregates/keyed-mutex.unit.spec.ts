import { describe, expect, it } from 'vitest';
import { KeyedMutex } from './keyed-mutex.js';

/** Work that ends when it is told to, and notes when it begins. */
const piece = (name: string, begun: string[]) => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const work = (): Promise<string> => {
    begun.push(name);
    return promise;
  };
  return { work, end: () => resolve(name), fail: () => reject(new Error(name)) };
};

describe('KeyedMutex', () => {
  it('lets work of one key follow one another, and other keys go on', async () => {
    const begun: string[] = [];
    const mutex = new KeyedMutex();
    const [a, b, other] = [piece('a', begun), piece('b', begun), piece('other', begun)];
    const first = mutex.run(1, a.work);
    const second = mutex.run(1, b.work);
    const beside = mutex.run(2, other.work);
    expect(begun).toEqual(['a', 'other']);
    a.end();
    expect(await first).toBe('a');
    b.end();
    other.end();
    expect(await Promise.all([second, beside])).toEqual(['b', 'other']);
  });
  it('goes on after a failure, which is the failing caller’s alone', async () => {
    const begun: string[] = [];
    const mutex = new KeyedMutex();
    const [a, b] = [piece('a', begun), piece('b', begun)];
    const first = mutex.run(1, a.work);
    const second = mutex.run(1, b.work);
    a.fail();
    b.end();
    await expect(first).rejects.toThrow('a');
    expect(await second).toBe('b');
  });
});
