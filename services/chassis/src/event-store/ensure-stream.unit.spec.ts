import { JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { describe, expect, it } from 'vitest';
import { ensureStream } from './ensure-stream.js';

const refusal = (code: number): JetStreamApiError => new JetStreamApiError({ code: 500, err_code: code, description: `refused: ${code}` });
const NOT_FOUND = 10_059;

/** A server that gives these answers to requests to make a stream, one after the other, and has the stream after the last. */
const serverThat = (...answers: readonly Error[]): { manager: JetStreamManager; asked: () => number } => {
  let asked = 0;
  const streams = {
    info: () => (asked > answers.length ? Promise.resolve({}) : Promise.reject(refusal(NOT_FOUND))),
    add: () => {
      const answer = answers[asked];
      asked += 1;
      return answer ? Promise.reject(answer) : Promise.resolve({});
    },
  };
  return { manager: { streams } as unknown as JetStreamManager, asked: () => asked };
};

describe('a stream that is missing', () => {
  it('is made, also while somebody else makes it and it does not show yet, and while a cluster has no leader', async () => {
    const server = serverThat(refusal(10_058), new errors.TimeoutError(), refusal(10_008), refusal(10_005));
    await ensureStream(server.manager, { name: 'EV_LIBRARY' });
    expect(server.asked()).toBe(5);
  });

  it('is not asked for again when the server refuses it', async () => {
    const server = serverThat(refusal(10_074));
    await expect(ensureStream(server.manager, { name: 'EV_LIBRARY' })).rejects.toThrow('refused: 10074');
    expect(server.asked()).toBe(1);
  });
});
