import { specFor } from '@continuo/chassis/testkit';
import {
  smartlistChanged,
  smartlistCounted,
  smartlistCreated,
  smartlistDeleted,
  type SmartlistId,
  type SmartlistTerms,
  type UserId,
} from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { freeName } from './smartlist-name.js';
import { COUNTED_AT_MOST_EVERY_MS, smartlist } from './smartlist.decider.js';

const { given } = specFor(smartlist);
const smartlistId = 1 as SmartlistId;
const [ada, bob] = [1, 2] as [UserId, UserId];
const terms: SmartlistTerms = {
  name: 'loud',
  ownerId: ada,
  isPublic: false,
  collaboratorIds: [],
  rules: [['title', 'contain', 'loud', null]],
  logic: 'and',
  isRandom: false,
  limit: 0,
};
const created = smartlistCreated({ smartlistId, ...terms });

describe('a smartlist', () => {
  it('is made once under its number', () => {
    given([]).when({ type: 'create', smartlistId, terms }).then([created]);
    given([created]).when({ type: 'create', smartlistId, terms }).thenRejected('conflict');
  });

  it('changes what differs', () => {
    given([created])
      .when({ type: 'change', smartlistId, changes: { name: 'louder', rules: [['title', 'contain', 'loud', null]], limit: 0 } })
      .then([smartlistChanged({ smartlistId, name: 'louder' })]);
    given([created])
      .when({ type: 'change', smartlistId, changes: { rules: [['year', 'gte', '1999', null]] } })
      .then([smartlistChanged({ smartlistId, rules: [['year', 'gte', '1999', null]] })]);
    given([created]).when({ type: 'change', smartlistId, changes: terms }).then([]);
    given([]).when({ type: 'change', smartlistId, changes: terms }).thenRejected('smartlist.not-found');
  });

  it('notes how much is in it, when that is new and some time has passed', () => {
    const first = smartlistCounted({ smartlistId, songCount: 3, durationMs: 9, countedAtMs: 100 });
    given([created]).when({ type: 'count', smartlistId, songCount: 3, durationMs: 9, nowMs: 100 }).then([first]);
    given([created, first]).when({ type: 'count', smartlistId, songCount: 3, durationMs: 9, nowMs: 10_000_000 }).then([]);
    given([created, first]).when({ type: 'count', smartlistId, songCount: 4, durationMs: 12, nowMs: 101 }).then([]);
    const later = 100 + COUNTED_AT_MOST_EVERY_MS;
    given([created, first])
      .when({ type: 'count', smartlistId, songCount: 4, durationMs: 12, nowMs: later })
      .then([smartlistCounted({ smartlistId, songCount: 4, durationMs: 12, countedAtMs: later })]);
  });

  it('is deleted for good', () => {
    const deleted = smartlistDeleted({ smartlistId });
    given([created]).when({ type: 'delete', smartlistId }).then([deleted]);
    given([created, deleted]).when({ type: 'delete', smartlistId }).then([]);
    given([created, deleted])
      .when({ type: 'change', smartlistId, changes: { name: 'x' } })
      .thenRejected('smartlist.not-found');
    given([created, deleted]).when({ type: 'create', smartlistId, terms }).thenRejected('conflict');
  });

  it('goes with its owner unless it is for others', () => {
    given([created])
      .when({ type: 'forget-user', smartlistId, userId: ada })
      .then([smartlistDeleted({ smartlistId })]);
    given([smartlistCreated({ smartlistId, ...terms, isPublic: true })])
      .when({ type: 'forget-user', smartlistId, userId: ada })
      .then([smartlistChanged({ smartlistId, ownerId: null })]);
    given([smartlistCreated({ smartlistId, ...terms, collaboratorIds: [bob] })])
      .when({ type: 'forget-user', smartlistId, userId: bob })
      .then([smartlistChanged({ smartlistId, collaboratorIds: [] })]);
    given([created]).when({ type: 'forget-user', smartlistId, userId: bob }).then([]);
  });
});

describe('the name of a smartlist', () => {
  it('gets a number behind it where it is taken', () => {
    expect(freeName('loud', new Set())).toBe('loud');
    expect(freeName('loud', new Set(['loud', 'loud (3)']))).toBe('loud (2)');
    expect(freeName('loud', new Set(['loud', 'loud (2)']))).toBe('loud (3)');
    const long = 'x'.repeat(255);
    expect(freeName(long, new Set([long]))).toBe(`${'x'.repeat(251)} (2)`);
  });
});
