import { describe, expect, it } from 'vitest';
import { Circuit } from './circuit.js';

const terms = { failures: 3, openMs: 100, longestMs: 300 };

describe('a circuit', () => {
  it('opens after failures in a row, and lets one try after a while', () => {
    let nowMs = 0;
    const circuit = new Circuit(terms, () => nowMs);
    const fail = () => circuit.enter() && circuit.failed();
    expect([fail(), fail()]).toEqual([false, false]);
    circuit.succeeded();
    expect([fail(), fail(), fail()]).toEqual([false, false, true]);
    expect([circuit.enter(), circuit.openUntilMs]).toEqual([false, 100]);
    nowMs = 100;
    expect([circuit.openUntilMs, circuit.enter(), circuit.enter()]).toEqual([undefined, true, false]);
    circuit.undecided();
    expect(circuit.enter()).toBe(true);
    circuit.succeeded();
    expect([circuit.enter(), circuit.enter()]).toEqual([true, true]);
  });

  it('stays open longer each time, up to a limit', () => {
    let nowMs = 0;
    const circuit = new Circuit({ ...terms, failures: 1 }, () => nowMs);
    const lengths = [1, 2, 3, 4].map(() => {
      circuit.enter();
      circuit.failed();
      const length = (circuit.openUntilMs ?? 0) - nowMs;
      nowMs += length;
      return length;
    });
    expect(lengths).toEqual([100, 200, 300, 300]);
  });

  it('ignores results of calls that began before it opened', () => {
    const circuit = new Circuit({ ...terms, failures: 1 }, () => 0);
    expect([circuit.failed(), circuit.failed(), circuit.openUntilMs]).toEqual([true, false, 100]);
  });
});
