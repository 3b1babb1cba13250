import { specFor } from '@continuo/chassis/testkit';
import {
  transcodeBatchCancelled,
  transcodeBatchFinished,
  transcodeBatchId,
  transcodeBatchRequested,
  transcodeItemEnded,
  userId,
} from '@continuo/contracts';
import { describe, it } from 'vitest';
import { batchAggregate, type ItemEnd } from './batch.decider.js';

const batchId = transcodeBatchId.parse('b1');
const order = {
  batchId,
  title: 'An album',
  requestedBy: userId.parse(2),
  profile: { format: 'opus' as const, bitrateKbps: 96 },
  items: [
    { type: 'song' as const, id: 7 },
    { type: 'song' as const, id: 8 },
  ],
};
const requested = transcodeBatchRequested(order);
const end = (index: number): ItemEnd => ({ index, outcome: 'made', workerId: 'w', durationMs: 5, sizeBytes: 9 });
const ended = (index: number) => transcodeItemEnded({ batchId, ...end(index) });
const spec = specFor(batchAggregate);

describe('a batch of transcodes', () => {
  it('is requested once', () => {
    spec
      .given([])
      .when({ type: 'request', ...order })
      .then([requested]);
    spec
      .given([requested])
      .when({ type: 'request', ...order })
      .then([]);
  });
  it('records the outcome of each medium once, and ends with the last', () => {
    spec
      .given([requested])
      .when({ type: 'end-item', end: end(1) })
      .then([ended(1)]);
    spec
      .given([requested, ended(1)])
      .when({ type: 'end-item', end: { ...end(1), workerId: 'other' } })
      .then([]);
    spec
      .given([requested, ended(1)])
      .when({ type: 'end-item', end: end(0) })
      .then([ended(0), transcodeBatchFinished({ batchId })]);
  });
  it('knows only its own media', () =>
    spec
      .given([requested])
      .when({ type: 'end-item', end: end(2) })
      .then([]));
  it('is cancelled while it runs, and ignores reports after its end', () => {
    const finished = [requested, ended(0), ended(1), transcodeBatchFinished({ batchId })];
    spec
      .given([requested])
      .when({ type: 'cancel' })
      .then([transcodeBatchCancelled({ batchId })]);
    spec.given(finished).when({ type: 'cancel' }).then([]);
    spec
      .given([requested, transcodeBatchCancelled({ batchId })])
      .when({ type: 'end-item', end: end(0) })
      .then([]);
  });
  it('rejects an unknown batch', () => {
    spec.given([]).when({ type: 'cancel' }).thenRejected('transcode.batch-not-found');
    spec
      .given([])
      .when({ type: 'end-item', end: end(0) })
      .thenRejected('transcode.batch-not-found');
  });
});
