import { EventEmitter } from 'node:events';
import type { ProbedProcess } from '@continuo/bench';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../wire/send.js';
import { Suspects, type Suspect } from './suspects.js';

/** This process in the place of the server: the probe in it says what the spec says. */
const probed = (busyMs: () => number): ProbedProcess => {
  const server = new EventEmitter();
  const send = (): boolean => {
    queueMicrotask(() => server.emit('message', { delayMs: 1000, busyMs: busyMs() }));
    return true;
  };
  return Object.assign(server, { pid: process.pid, send }) as unknown as ProbedProcess;
};

const answered = (durationMs: number): Answer => ({ status: 200, headers: {}, body: Buffer.alloc(0), durationMs });
const suspect: Suspect = { what: 'native songs', curl: ['curl …'], send: async () => answered(1) };

describe.runIf(process.platform === 'linux')('requests that are suspected', () => {
  it('are at fault when the event loop is held while they are sent alone, too', async () => {
    const suspects = new Suspects(probed(() => 200));
    await suspects.consider(suspect, answered(300));
    expect(await suspects.tryAgain()).toMatchObject([{ signature: 'native songs: it held the event loop for N ms', curl: ['curl …'] }]);
  });

  it('are not when it was another that held it', async () => {
    let busyMs = 200;
    const suspects = new Suspects(probed(() => busyMs));
    await suspects.consider(suspect, answered(300));
    busyMs = 5;
    expect(await suspects.tryAgain()).toEqual([]);
  });

  it('are none when they were only slow, or quick', async () => {
    const suspects = new Suspects(probed(() => 20));
    await suspects.consider(suspect, answered(300));
    await suspects.consider(suspect, answered(10));
    expect(await suspects.tryAgain()).toEqual([]);
  });
});
