import { expect, it, vi } from 'vitest';
import { UploadQueue, type Upload } from './upload-queue.js';

const file = (name: string): File => new File(['sound'], name);
const states = (uploads: readonly Upload[]) => uploads.map(({ name, state }) => [name, state]);

it('sends files one after another, and one that fails stops no other', async () => {
  let atOnce = 0;
  let most = 0;
  const rest = vi.fn<(uploads: readonly Upload[]) => void>();
  const queue = new UploadQueue(async ({ name }, onSent) => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await Promise.resolve();
    onSent(1);
    atOnce -= 1;
    if (name === 'b') throw new Error('no sound in it');
  }, rest);
  queue.add([file('a'), file('b'), file('c')]);
  expect(queue.isBusy()).toBe(true);
  await vi.waitFor(() => expect(rest).toHaveBeenCalledOnce());
  expect(states(queue.uploads.current())).toEqual([
    ['a', 'done'],
    ['b', 'failed'],
    ['c', 'done'],
  ]);
  expect([most, queue.isBusy()]).toEqual([1, false]);
});

it('tells how far a file is, and that the server reads it once it is sent', async () => {
  const seen: unknown[] = [];
  const queue = new UploadQueue(
    async (_, onSent) => {
      onSent(0.5);
      onSent(1);
    },
    () => undefined,
  );
  queue.uploads.subscribe(() => seen.push(...queue.uploads.current().map(({ state, sent }) => `${state} ${sent}`)));
  queue.add([file('a')]);
  await vi.waitFor(() => expect(seen).toEqual(['waiting 0', 'sending 0', 'sending 0.5', 'reading 1', 'done 1']));
});

it('sends a failed file again when it is asked to', async () => {
  let tries = 0;
  const queue = new UploadQueue(
    async () => {
      tries += 1;
      if (tries === 1) throw new Error('away');
    },
    () => undefined,
  );
  queue.add([file('a')]);
  await vi.waitFor(() => expect(states(queue.uploads.current())).toEqual([['a', 'failed']]));
  queue.retry(queue.uploads.current()[0]?.key ?? 0);
  await vi.waitFor(() => expect(states(queue.uploads.current())).toEqual([['a', 'done']]));
});
