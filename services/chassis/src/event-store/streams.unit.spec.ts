import type { JetStreamManager } from '@nats-io/jetstream';
import { describe, expect, it } from 'vitest';
import { epochReader } from './streams.js';

/** A manager whose first look fails, as when NATS restarts at that moment. */
const shaky = () => {
  let looks = 0;
  const info = () => {
    looks += 1;
    if (looks === 1) return Promise.reject(new Error('timeout'));
    return Promise.resolve({ config: { metadata: { 'continuo-epoch': 'e1' } }, state: { last_seq: 4 } });
  };
  return { manager: { streams: { info } } as unknown as JetStreamManager, looks: () => looks };
};

describe('the epoch of a stream', () => {
  it('is read again after a read that failed, and kept after one that did not', async () => {
    const { manager, looks } = shaky();
    const epoch = epochReader(manager, ['EV_LIBRARY']);
    await expect(epoch()).rejects.toThrow('timeout');
    expect(await epoch()).toBe('e1');
    expect(await epoch()).toBe('e1');
    expect(looks()).toBe(2);
  });
});
