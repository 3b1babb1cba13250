import type { Aggregate } from '@continuo/chassis';
import {
  Rejection,
  webhookAdded,
  webhookDisabled,
  webhookEnabled,
  webhookRemoved,
  type WebhookEvent,
  type WebhookId,
} from '@continuo/contracts';

type Addition = ReturnType<typeof webhookAdded>['data'];
type Ending = ReturnType<typeof webhookDisabled>['data'];

/** Commands of a webhook. */
export type WebhookCommand =
  | { readonly type: 'add'; readonly webhook: Addition }
  | { readonly type: 'enable'; readonly webhookId: WebhookId; readonly after: Addition['after'] }
  | ({ readonly type: 'disable' } & Ending)
  | { readonly type: 'remove'; readonly webhookId: WebhookId };

/** State of a webhook: whether it exists, and whether it is enabled. */
export interface WebhookState {
  readonly status: 'none' | 'enabled' | 'disabled' | 'removed';
}

const decide = ({ status }: WebhookState, command: WebhookCommand): readonly WebhookEvent[] => {
  if (command.type === 'add') {
    // The number was given out twice, as after a loss of the database: the caller takes the next one.
    if (status !== 'none') throw new Rejection('conflict', `webhook ${command.webhook.webhookId} exists`);
    return [webhookAdded(command.webhook)];
  }
  if (status === 'none' || status === 'removed') throw new Rejection('webhook.not-found');
  switch (command.type) {
    case 'enable':
      return status === 'enabled' ? [] : [webhookEnabled({ webhookId: command.webhookId, after: command.after })];
    case 'disable':
      return status === 'disabled' ? [] : [webhookDisabled({ webhookId: command.webhookId, reason: command.reason })];
    case 'remove':
      return [webhookRemoved({ webhookId: command.webhookId })];
  }
};

const statusAfter: Readonly<Record<WebhookEvent['type'], WebhookState['status']>> = {
  WebhookAdded: 'enabled',
  WebhookEnabled: 'enabled',
  WebhookDisabled: 'disabled',
  WebhookRemoved: 'removed',
};

const evolve = (state: WebhookState, { type }: WebhookEvent): WebhookState =>
  Object.hasOwn(statusAfter, type) ? { status: statusAfter[type] } : state;

/** One webhook. */
export const webhook: Aggregate<WebhookState, WebhookCommand, WebhookEvent> = {
  context: 'social',
  kind: 'webhook',
  initialState: { status: 'none' },
  decide,
  evolve,
};
