import { describe, expect, it } from 'vitest';
import { judgeProjection } from '../doctor/projections.check.js';
import { judge } from './status.js';

describe('projection states', () => {
  const endAt = (lastPosition: number, lastReadable = lastPosition) => ({ epoch: 'e', lastPosition, lastReadable });
  const row = { name: 'p', version: 1, generation: 1, state: 'live', stream: 'EV_LIBRARY', epoch: 'e', position: 7 } as const;

  it('tell the lag', () => {
    expect(judge(row, endAt(10))).toMatchObject({ lagEvents: 3, fault: null });
    expect(judgeProjection(judge(row, endAt(10))).status).toBe('ok');
    expect(judgeProjection(judge(row, endAt(1_000_000))).status).toBe('warning');
  });

  it('are behind by nothing that cannot be read', () => {
    expect(judge(row, endAt(10, 7))).toMatchObject({ lastPosition: 7, lagEvents: 0, fault: null });
    expect(judge({ ...row, position: 9 }, endAt(10, 7))).toMatchObject({ lagEvents: 0, fault: null });
  });

  it('tell what stands still, and what does not catch up, from two looks', () => {
    const at = (position: number, lastPosition: number) => judge({ ...row, position }, endAt(lastPosition));
    expect(judgeProjection(at(7, 12), at(7, 10))).toMatchObject({ status: 'fault', detail: expect.stringContaining('stands still') });
    expect(judgeProjection(at(9, 12), at(7, 10)).status).toBe('ok');
    expect(judgeProjection(at(7, 12), at(7, 7)).status).toBe('ok');
    expect(judgeProjection(at(10, 10), at(7, 10)).status).toBe('ok');
    expect(judgeProjection(at(1000, 20_000), at(0, 10_000))).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('does not catch up'),
    });
    expect(judgeProjection(at(5000, 11_000), at(0, 10_000)).detail).not.toContain('does not catch up');
    const building = { ...row, state: 'building' } as const;
    const built = (position: number) => judge({ ...building, position }, endAt(100));
    expect(judgeProjection(built(7), built(7)).status).toBe('fault');
    expect(judgeProjection(built(50), built(7)).status).toBe('ok');
  });

  it('tell tables that do not belong to the log', () => {
    expect(judge(row, { ...endAt(10), epoch: 'other' }).fault).toBe('belongs to another incarnation of the log');
    expect(judge(row, endAt(5))).toMatchObject({ lagEvents: 0, fault: 'position lies beyond the end of the log' });
    expect(judgeProjection(judge(row, undefined))).toMatchObject({ status: 'fault', detail: 'EV_LIBRARY is missing' });
  });
});
