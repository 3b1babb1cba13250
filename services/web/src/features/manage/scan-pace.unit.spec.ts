import { expect, it } from 'vitest';
import { paceOf } from './scan-pace.js';

const at = (seconds: number): string => new Date(seconds * 1000).toISOString();
const progress = { done: 300, total: 900, unit: 'files' };
const running = { state: 'running', progress, startedAt: at(100), updatedAt: at(110), endedAt: null } as const;

it('tells the rate since the start and the time that is left at that rate', () => {
  expect(paceOf(running)).toEqual({ filesPerS: 30, tookS: 10, leftS: 20 });
});

it('tells no time that is left where the total is unknown, and none below zero', () => {
  expect(paceOf({ ...running, progress: { ...progress, total: null } })?.leftS).toBeNull();
  expect(paceOf({ ...running, progress: { ...progress, total: 200 } })?.leftS).toBe(0);
});

it('tells how long a scan took that has ended', () => {
  expect(paceOf({ ...running, state: 'done', endedAt: at(160) })).toEqual({ filesPerS: 5, tookS: 60, leftS: null });
});

it('tells nothing of a scan that waits, has just begun or has read nothing', () => {
  expect(paceOf({ ...running, startedAt: null })).toBeUndefined();
  expect(paceOf({ ...running, updatedAt: at(100.5) })).toBeUndefined();
  expect(paceOf({ ...running, progress: { ...progress, done: 0 } })).toBeUndefined();
});
