import { specFor } from '@continuo/chassis/testkit';
import { bookmarkId as idOf, bookmarkMoved, bookmarkPlaced, bookmarkRemoved, userId } from '@continuo/contracts';
import { describe, it } from 'vitest';
import { bookmark, type BookmarkCommand } from './bookmark.decider.js';

const { given } = specFor(bookmark);
const bookmarkId = idOf.parse(7);
const ada = userId.parse(1);
const of = { bookmarkId, userId: ada, objectType: 'song', objectId: 3 } as const;
const key = { userId: ada, objectType: 'song', objectId: 3, slot: '' } as const;
const written = { labelDigest: 'd1', sealedLabel: 's1' };
const place = (positionMs: number, placedAtMs: number, more: Partial<Extract<BookmarkCommand, { type: 'place' }>> = {}) =>
  ({ type: 'place', bookmarkId, key, label: undefined, positionMs, placedAtMs, ...more }) as const;
const placed = bookmarkPlaced({ ...of, isApart: false, ...written, positionMs: 1000, createdAtMs: 10, changedAtMs: 10 });

describe('a bookmark', () => {
  it('is put into a thing, and from then on moved; when it was made stays', () => {
    given([])
      .when(place(1000, 10, { label: written }))
      .then([placed]);
    given([placed])
      .when(place(2000, 20))
      .then([bookmarkMoved({ ...of, positionMs: 2000, changedAtMs: 20 })]);
    given([placed])
      .when(place(2000, 20, { label: { labelDigest: 'd2', sealedLabel: 's2' } }))
      .then([
        bookmarkPlaced({ ...of, isApart: false, labelDigest: 'd2', sealedLabel: 's2', positionMs: 2000, createdAtMs: 10, changedAtMs: 20 }),
      ]);
  });

  it('is written once however often it is said, also with another seal on the same label', () => {
    given([placed])
      .when(place(1000, 10, { label: { labelDigest: 'd1', sealedLabel: 'sealed anew' } }))
      .then([]);
    given([placed, bookmarkMoved({ ...of, positionMs: 5, changedAtMs: 30 })])
      .when({ type: 'move', bookmarkId, userId: ada, positionMs: 5, movedAtMs: 30 })
      .then([]);
  });

  it('comes back under its number, as a new one', () => {
    given([placed, bookmarkRemoved(of)])
      .when(place(0, 40))
      .then([bookmarkPlaced({ ...of, isApart: false, labelDigest: '', sealedLabel: '', positionMs: 0, createdAtMs: 40, changedAtMs: 40 })]);
  });

  it('is told apart by its label', () => {
    const apart = { ...key, slot: 'd1' };
    given([])
      .when(place(1000, 10, { key: apart, label: written }))
      .then([bookmarkPlaced({ ...of, isApart: true, ...written, positionMs: 1000, createdAtMs: 10, changedAtMs: 10 })]);
    given([placed])
      .when(place(1000, 10, { key: apart, label: written }))
      .thenRejected('conflict');
  });

  it('is nobody else’s to move or remove', () => {
    const bob = userId.parse(2);
    const move = { type: 'move', bookmarkId, userId: bob, positionMs: 5, movedAtMs: 30 } as const;
    given([placed]).when(move).thenRejected('bookmark.not-found');
    given([placed]).when({ type: 'remove', bookmarkId, userId: bob }).then([]);
    given([placed])
      .when({ type: 'remove', bookmarkId, userId: ada })
      .then([bookmarkRemoved(of)]);
    for (const events of [[], [placed, bookmarkRemoved(of)]]) {
      given(events)
        .when({ ...move, userId: ada })
        .thenRejected('bookmark.not-found');
      given(events).when({ type: 'remove', bookmarkId, userId: ada }).then([]);
    }
  });
});
