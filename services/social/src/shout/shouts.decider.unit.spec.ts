import { specFor } from '@continuo/chassis/testkit';
import { shoutMade, shoutRemoved, userId } from '@continuo/contracts';
import { describe, it } from 'vitest';
import { shouts } from './shouts.decider.js';

const { given } = specFor(shouts);
const ada = userId.parse(1);
const said = { userId: ada, kind: 'album', objectId: 2, sealedText: 'sealed' } as const;
const first = shoutMade({ ...said, number: 1 });
const firstGone = shoutRemoved({ userId: ada, number: 1 });

describe('shouts', () => {
  it('are numbered from one, and no number comes twice', () => {
    given([])
      .when({ type: 'make', ...said })
      .then([first]);
    given([first, firstGone])
      .when({ type: 'make', ...said })
      .then([shoutMade({ ...said, number: 2 })]);
  });
  it('are taken away once', () => {
    given([first]).when({ type: 'remove', userId: ada, number: 1 }).then([firstGone]);
    given([first, firstGone]).when({ type: 'remove', userId: ada, number: 1 }).then([]);
    given([first]).when({ type: 'remove', userId: ada, number: 2 }).then([]);
  });
});
