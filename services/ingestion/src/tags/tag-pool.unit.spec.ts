import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TagPool, type TagThread } from './tag-pool.adapter.js';
import type { TrackRequest, TrackResult } from './tag-reader.js';
import type { WorkerTask } from './worker-messages.js';

const options = { threads: 2, inFlightPerThread: 4, parseTimeoutMs: 1000, maxPictureBytes: 1, maxPicturePixels: 1 };
const request = (fileName: string): TrackRequest => ({
  path: `/${fileName}`,
  fileName,
  folderPath: '',
  sizeBytes: 1,
  mtimeMs: 1,
  lyricsPaths: [],
});

/** A thread that answers at once, dies of files called `bomb`, and never answers for those called `stuck`. */
class FakeThread extends EventEmitter {
  static alive = 0;
  static most = 0;
  #ended = false;

  constructor() {
    super();
    FakeThread.alive += 1;
    FakeThread.most = Math.max(FakeThread.most, FakeThread.alive);
  }

  postMessage(task: WorkerTask): void {
    const name = task.kind === 'track' ? task.request.fileName : task.path;
    if (name.startsWith('stuck')) return;
    setTimeout(() => {
      if (this.#ended) return;
      if (name.startsWith('bomb')) void this.terminate();
      else this.emit('message', { id: task.id, result: { ok: false, reason: 'not-media', message: `read ${name}` } satisfies TrackResult });
    }, 5);
  }

  terminate(): Promise<number> {
    if (!this.#ended) {
      this.#ended = true;
      FakeThread.alive -= 1;
      setImmediate(() => this.emit('exit', 1));
    }
    return Promise.resolve(1);
  }

  unref(): void {}
}

const pools: TagPool[] = [];
const pool = (): TagPool => {
  const made = new TagPool(options, () => new FakeThread() as unknown as TagThread);
  pools.push(made);
  return made;
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'setImmediate', 'Date'] });
  FakeThread.alive = 0;
  FakeThread.most = 0;
});
afterEach(async () => {
  await Promise.all(pools.splice(0).map((made) => made.close()));
  vi.useRealTimers();
});

const readAll = async (names: readonly string[]): Promise<string[]> => {
  const reader = pool();
  const results = Promise.all(names.map((name) => reader.readTrack(request(name))));
  await vi.advanceTimersByTimeAsync(20_000);
  return (await results).map((result) => (result.ok ? 'ok' : result.message));
};

describe('the pool of tag readers', () => {
  it('reads everything with no more threads than allowed', async () => {
    const names = Array.from({ length: 50 }, (_, n) => `${n}.mp3`);
    expect(await readAll(names)).toEqual(names.map((name) => `read ${name}`));
    expect(FakeThread.most).toBe(2);
  });

  it('finds the file that kills its thread and reads the others all the same', async () => {
    const names = Array.from({ length: 30 }, (_, n) => (n % 10 === 3 ? `bomb${n}` : `${n}.mp3`));
    const messages = await readAll(names);
    for (const [n, name] of names.entries()) {
      expect(messages[n]).toBe(name.startsWith('bomb') ? 'reading the file took too long or too much memory' : `read ${name}`);
    }
  });

  it('ends a thread that is stuck in a file', async () => {
    expect(await readAll(['stuck', 'a.mp3', 'b.mp3'])).toEqual([
      'reading the file took too long or too much memory',
      'read a.mp3',
      'read b.mp3',
    ]);
  });

  it('ends idle threads and starts new ones when they are needed', async () => {
    const reader = pool();
    const first = reader.readTrack(request('a.mp3'));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await first).toMatchObject({ message: 'read a.mp3' });
    expect(FakeThread.alive).toBe(0);
    const second = reader.readTrack(request('b.mp3'));
    await vi.advanceTimersByTimeAsync(100);
    expect(await second).toMatchObject({ message: 'read b.mp3' });
  });

  it('settles what is under way when it is closed', async () => {
    const reader = pool();
    const open = [reader.readTrack(request('stuck')), reader.readPicture('stuck')];
    await reader.close();
    expect(await Promise.all(open)).toMatchObject([{ ok: false, reason: 'unreadable' }, { ok: false }]);
  });
});
