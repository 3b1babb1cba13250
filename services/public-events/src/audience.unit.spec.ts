import { describe, expect, it } from 'vitest';
import { mayBeNotified, type Audience, type EventViewer } from './audience.js';

const ada: EventViewer = { userId: 1, level: 25, catalogs: 'all' };
const operator: EventViewer = { userId: null, level: 100, catalogs: 'all' };
const open = (): boolean => true;
const shut = (): boolean => false;

describe('mayBeNotified', () => {
  const doings = (userId: number): Audience => ({
    owners: [userId],
    others: { are: 'doings', userId, unless: 'allow_personal_info_recent' },
  });

  it("tells one's own, and what others do not keep private", () => {
    expect(mayBeNotified(ada, doings(1), shut)).toBe(true);
    expect(mayBeNotified(ada, doings(2), open)).toBe(true);
    expect(mayBeNotified(ada, doings(2), shut)).toBe(false);
    expect(mayBeNotified(operator, doings(2), shut)).toBe(false);
  });

  it('asks for the switch that the event names', () => {
    const now: Audience = { owners: [2], others: { are: 'doings', userId: 2, unless: 'allow_personal_info_now' } };
    expect(mayBeNotified(ada, now, (userId, unless) => userId === 2 && unless === 'allow_personal_info_now')).toBe(true);
    expect(mayBeNotified(ada, doings(2), (_, unless) => unless === 'allow_personal_info_now')).toBe(false);
  });

  it('tells by level', () => {
    const managed: Audience = { owners: [], others: { are: 'level', level: 75 } };
    expect([25, 50, 75, 100].map((level) => mayBeNotified({ ...ada, level }, managed, open))).toEqual([false, false, true, true]);
  });

  it('tells nothing of hidden catalogs, not even to whom it belongs, whatever their level', () => {
    const own: Audience = { ...doings(1), catalogIds: [4] };
    expect(mayBeNotified({ ...ada, catalogs: [1, 4] }, own, open)).toBe(true);
    for (const catalogs of [[1], []]) expect(mayBeNotified({ ...ada, level: 100, catalogs }, own, open)).toBe(false);
    expect(mayBeNotified({ ...ada, catalogs: [1] }, { ...own, catalogIds: [] }, open)).toBe(false);
    expect(mayBeNotified(ada, { ...own, catalogIds: [] }, open)).toBe(true);
  });

  it('tells of a private list only who may open it, and administrators', () => {
    const about: Audience = { ...doings(2), within: [2, 3] };
    expect([1, 2, 3].map((userId) => mayBeNotified({ ...ada, userId }, about, open))).toEqual([false, true, true]);
    expect(mayBeNotified({ ...ada, level: 100 }, about, open)).toBe(true);
    expect(mayBeNotified(operator, about, open)).toBe(true);
    expect(mayBeNotified({ ...ada, userId: null }, about, open)).toBe(false);
  });

  it('tells nobody what is for nobody', () =>
    expect(mayBeNotified(operator, { owners: [1], others: { are: 'nobody' } }, open)).toBe(false));
});
