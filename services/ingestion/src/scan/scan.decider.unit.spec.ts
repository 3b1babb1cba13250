import {
  catalogId,
  scanCancelled,
  scanFailed,
  scanFinished,
  scanId,
  scanProgressed,
  scanRequested,
  scanStarted,
  type ScanEvent,
} from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { zeroCounts, scanAggregate, type ScanCommand } from './scan.decider.js';

const scan = { scanId: scanId.parse('s1'), catalogId: catalogId.parse(3) };
const counts = { ...zeroCounts, filesSeen: 5 };
const requested = scanRequested(scan);
const started = scanStarted({ ...scan, attempt: 1 });
const when = (past: readonly ScanEvent[], command: ScanCommand): readonly ScanEvent[] =>
  scanAggregate.decide(past.reduce(scanAggregate.evolve, scanAggregate.initialState), command);

describe('scan', () => {
  it('is requested once', () => {
    expect(when([], { type: 'request', ...scan, mode: 'changes' })).toEqual([requested]);
    expect(when([requested], { type: 'request', ...scan, mode: 'changes' })).toEqual([]);
    expect(when([], { type: 'request', ...scan, mode: 'verify' })).toEqual([scanRequested({ ...scan, mode: 'verify' })]);
    expect(
      [requested, scanRequested({ ...scan, mode: 'verify' })].map((event) => scanAggregate.evolve(scanAggregate.initialState, event).mode),
    ).toEqual(['changes', 'verify']);
  });

  it('starts, and starts again with the next attempt', () => {
    expect(when([requested], { type: 'start', attempt: 1 })).toEqual([started]);
    expect(when([requested, started], { type: 'start', attempt: 1 })).toEqual([]);
    expect(when([requested, started], { type: 'start', attempt: 2 })).toEqual([scanStarted({ ...scan, attempt: 2 })]);
  });

  it('reports progress only when there is some', () => {
    expect(when([requested, started], { type: 'progress', counts })).toEqual([scanProgressed({ ...scan, counts })]);
    expect(when([requested, started, scanProgressed({ ...scan, counts })], { type: 'progress', counts })).toEqual([]);
  });

  it('ends in one of three ways', () => {
    const past = [requested, started, scanProgressed({ ...scan, counts })];
    expect(when(past, { type: 'finish', counts, durationMs: 9, skipped: [] })).toEqual([
      scanFinished({ ...scan, counts, durationMs: 9, skipped: [] }),
    ]);
    expect(when(past, { type: 'fail', counts, message: 'no' })).toEqual([scanFailed({ ...scan, counts, message: 'no' })]);
    expect(when(past, { type: 'cancel' })).toEqual([scanCancelled({ ...scan, counts })]);
  });

  it.each([
    scanFinished({ ...scan, counts, durationMs: 1, skipped: [] }),
    scanFailed({ ...scan, counts, message: '' }),
    scanCancelled({ ...scan, counts }),
  ])('changes nothing any more after $type', (end) => {
    const past = [requested, started, end];
    for (const command of [{ type: 'start', attempt: 2 }, { type: 'progress', counts: zeroCounts }, { type: 'cancel' }] as const) {
      expect(when(past, command)).toEqual([]);
    }
    expect(when(past, { type: 'finish', counts, durationMs: 1, skipped: [] })).toEqual([]);
  });

  it('refuses what is asked of a scan that nobody requested', () => {
    expect(() => when([], { type: 'cancel' })).toThrow(expect.objectContaining({ code: 'scan.not-found' }));
  });
});
