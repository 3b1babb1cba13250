import { specFor } from '@continuo/chassis/testkit';
import { webhookAdded, webhookDisabled, webhookEnabled, webhookId as id, webhookRemoved } from '@continuo/contracts';
import { describe, it } from 'vitest';
import { webhook } from './webhook.decider.js';

const { given } = specFor(webhook);
const webhookId = id.parse(7);
const made = {
  webhookId,
  name: 'home',
  host: 'example.org',
  sealedUrl: 'v1.url',
  sealedSecret: 'v1.secret',
  patterns: ['play.*'],
  userId: null,
  after: { playback: 5 },
  createdAtMs: 1000,
};
const added = webhookAdded(made);
const disabled = webhookDisabled({ webhookId, reason: 'gone' });
const enabled = webhookEnabled({ webhookId, after: { playback: 9 } });
const removed = webhookRemoved({ webhookId });

describe('a webhook', () => {
  it('is added once, and its number never again', () => {
    given([]).when({ type: 'add', webhook: made }).then([added]);
    for (const past of [[added], [added, removed]]) given(past).when({ type: 'add', webhook: made }).thenRejected('conflict');
  });

  it('is switched off and on, and what is so already is no event', () => {
    const off = { type: 'disable', webhookId, reason: 'gone' } as const;
    const on = { type: 'enable', webhookId, after: { playback: 9 } } as const;
    given([added]).when(off).then([disabled]);
    given([added, disabled]).when(off).then([]);
    given([added, disabled]).when(on).then([enabled]);
    given([added]).when(on).then([]);
    given([added, disabled, enabled]).when(off).then([disabled]);
  });

  it('is gone for good', () => {
    given([added, disabled]).when({ type: 'remove', webhookId }).then([removed]);
    for (const past of [[], [added, removed]]) {
      given(past).when({ type: 'remove', webhookId }).thenRejected('webhook.not-found');
      given(past).when({ type: 'disable', webhookId, reason: 'operator' }).thenRejected('webhook.not-found');
      given(past).when({ type: 'enable', webhookId, after: {} }).thenRejected('webhook.not-found');
    }
  });
});
