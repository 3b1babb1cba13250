import { specFor } from '@continuo/chassis/testkit';
import { playQueueForgotten, playQueueMoved, playQueueSaved, userId } from '@continuo/contracts';
import { describe, it } from 'vitest';
import { playQueue } from './play-queue.decider.js';

const { given } = specFor(playQueue);
const ada = userId.parse(1);
const runs = [{ objectType: 'song' as const, ids: [3, 1, 3] }];
const at = (currentIndex: number, savedAtMs: number) => ({ userId: ada, currentIndex, positionMs: 500, client: 'phone', savedAtMs });
const saved = playQueueSaved({ ...at(1, 10), runs, runsSha256: 'one' });

describe('a play queue', () => {
  it('is written whole when it is another one, and else only the place in it', () => {
    given([])
      .when({ type: 'save', ...at(1, 10), runs, runsSha256: 'one' })
      .then([saved]);
    given([saved])
      .when({ type: 'save', ...at(2, 20), client: 'desk', runs, runsSha256: 'one' })
      .then([playQueueMoved({ ...at(2, 20), client: 'desk' })]);
    given([saved])
      .when({ type: 'save', ...at(0, 30), runs: [], runsSha256: 'none' })
      .then([playQueueSaved({ ...at(0, 30), runs: [], runsSha256: 'none' })]);
  });

  it('is forgotten with its account', () => {
    const forgotten = playQueueForgotten({ userId: ada });
    given([saved]).when({ type: 'forget', userId: ada }).then([forgotten]);
    given([]).when({ type: 'forget', userId: ada }).then([]);
    given([saved, forgotten]).when({ type: 'forget', userId: ada }).then([]);
    given([saved, forgotten])
      .when({ type: 'save', ...at(1, 10), runs, runsSha256: 'one' })
      .then([saved]);
  });
});
