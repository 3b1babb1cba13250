import { specFor } from '@continuo/chassis/testkit';
import { userFollowed, userId, userUnfollowed } from '@continuo/contracts';
import { describe, it } from 'vitest';
import { follows, MAX_FOLLOWED } from './follows.decider.js';

const { given } = specFor(follows);
const [ada, bob] = [userId.parse(1), userId.parse(2)];
const pair = { userId: ada, followedId: bob };
const toggle = { type: 'toggle', ...pair } as const;

describe('toggling', () => {
  it('follows, stops, and follows again', () => {
    given([])
      .when(toggle)
      .then([userFollowed(pair)]);
    given([userFollowed(pair)])
      .when(toggle)
      .then([userUnfollowed(pair)]);
    given([userFollowed(pair), userUnfollowed(pair)])
      .when(toggle)
      .then([userFollowed(pair)]);
  });
  it('refuses to follow oneself', () =>
    given([])
      .when({ ...toggle, followedId: ada })
      .thenRejected('input.invalid'));
  it('refuses more than the most, and still lets go', () => {
    const many = Array.from({ length: MAX_FOLLOWED }, (_, n) => userFollowed({ userId: ada, followedId: userId.parse(n + 2) }));
    given(many)
      .when({ ...toggle, followedId: userId.parse(MAX_FOLLOWED + 2) })
      .thenRejected('input.invalid');
    given(many)
      .when(toggle)
      .then([userUnfollowed(pair)]);
  });
});
