import { specFor } from '@continuo/chassis/testkit';
import { objectFlagged, objectRated, objectUnflagged, userId as toUserId } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { annotations, annotationsId } from './annotations.decider.js';

const { given } = specFor(annotations);
const userId = toUserId.parse(3);
const song = { userId, kind: 'song' } as const;
const flag = (objectIds: number[], flaggedAtMs?: number) => ({ type: 'flag', ...song, objectIds, flaggedAtMs, nowMs: 500 }) as const;
const flagged = (objectId: number, flaggedAtMs: number) => objectFlagged({ ...song, objectId, flaggedAtMs });
const rated = (objectId: number, rating: number) => objectRated({ ...song, objectId, rating });

describe('ratings', () => {
  it('are set, changed and taken back', () => {
    given([])
      .when({ type: 'rate', ...song, objectId: 7, rating: 4 })
      .then([rated(7, 4)]);
    given([rated(7, 4)])
      .when({ type: 'rate', ...song, objectId: 7, rating: 5 })
      .then([rated(7, 5)]);
    given([rated(7, 4)])
      .when({ type: 'rate', ...song, objectId: 7, rating: 0 })
      .then([rated(7, 0)]);
  });
  it('change nothing when they are so already', () => {
    given([rated(7, 4)])
      .when({ type: 'rate', ...song, objectId: 7, rating: 4 })
      .then([]);
    given([])
      .when({ type: 'rate', ...song, objectId: 7, rating: 0 })
      .then([]);
    given([rated(7, 4), rated(7, 0)])
      .when({ type: 'rate', ...song, objectId: 7, rating: 0 })
      .then([]);
  });
});

describe('whatever was said of a block', () => {
  it('is taken back at once', () => {
    given([rated(7, 4), rated(8, 2), flagged(7, 100), rated(8, 0)])
      .when({ type: 'forget', ...song })
      .then([rated(7, 0), objectUnflagged({ ...song, objectId: 7 })]);
    given([])
      .when({ type: 'forget', ...song })
      .then([]);
  });
});

describe('favourites', () => {
  it('have the time of the command, or the one that is given', () => {
    given([])
      .when(flag([7, 8, 7]))
      .then([flagged(7, 500), flagged(8, 500)]);
    given([])
      .when(flag([7], 20))
      .then([flagged(7, 20)]);
  });
  it('keep their time when they are made once more, unless another one is given', () => {
    given([flagged(7, 20)])
      .when(flag([7, 8]))
      .then([flagged(8, 500)]);
    given([flagged(7, 20)])
      .when(flag([7], 20))
      .then([]);
    given([flagged(7, 20)])
      .when(flag([7], 30))
      .then([flagged(7, 30)]);
  });
  it('are taken off once', () => {
    const off = { type: 'unflag', ...song, objectIds: [7, 8] } as const;
    given([flagged(7, 20)])
      .when(off)
      .then([objectUnflagged({ ...song, objectId: 7 })]);
    given([flagged(7, 20), objectUnflagged({ ...song, objectId: 7 })])
      .when(off)
      .then([]);
  });
  it('do not touch ratings', () => {
    given([rated(7, 4), flagged(7, 20), objectUnflagged({ ...song, objectId: 7 })])
      .when({ type: 'rate', ...song, objectId: 7, rating: 4 })
      .then([]);
  });
});

it('keeps 256 neighbours of one user and kind together, and others apart', () => {
  expect(new Set([256, 300, 511].map((id) => annotationsId(userId, 'song', id)))).toEqual(new Set(['3-song-1']));
  expect(annotationsId(userId, 'song', 512)).toBe('3-song-2');
  expect(annotationsId(userId, 'album_disk', 256)).toBe('3-album_disk-1');
});
