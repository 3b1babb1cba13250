import { expect, test } from 'vitest';
import { ServerPart } from './server-part.js';

const makeServer = () => {
  const seen = { running: 1, most: 1 };
  const end = async (): Promise<void> => {
    await Promise.resolve();
    seen.running = 0;
  };
  const start = async () => {
    await Promise.resolve();
    seen.running += 1;
    seen.most = Math.max(seen.most, seen.running);
    return { pid: 1, kill: end, stop: end };
  };
  return { seen, part: new ServerPart('nats', start, { pid: 1, kill: end, stop: end }) };
};

test('two that start a server again at the same time start one', async () => {
  const { seen, part } = makeServer();
  const scenario = async (): Promise<void> => {
    await part.kill();
    await part.revive();
  };
  const keeper = async (): Promise<void> => {
    await part.stop();
    await part.revive();
  };
  await Promise.all([scenario(), keeper()]);
  expect(seen).toEqual({ running: 1, most: 1 });
});

test('a server that did not start can be started again', async () => {
  let starts = 0;
  const ok = { pid: 1, kill: () => Promise.resolve(), stop: () => Promise.resolve() };
  const start = () => {
    starts += 1;
    return starts === 1 ? Promise.reject(new Error('no room')) : Promise.resolve(ok);
  };
  const part = new ServerPart('nats', start, ok);
  await part.kill();
  await expect(part.revive()).rejects.toThrow('no room');
  await part.revive();
  expect(starts).toBe(2);
});
