import {
  decision,
  decisionMeta,
  done,
  type DecisionOutcome,
  type Handled,
  HandlesCommand,
  OutboundError,
  requireWebAddress,
  type CommandOf,
  type AnswerTo,
  positionsOf,
} from '@continuo/chassis';
import {
  addWebhook,
  disableWebhook,
  enableWebhook,
  PUBLIC_EVENT_VERSION,
  Rejection,
  removeWebhook,
  testWebhook,
  webhookId as toWebhookId,
  type CommandMessage,
  type PublicEvent,
  type WebhookId,
} from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import { notifiedContexts } from '@continuo/public-events';
import type { WebhookDependencies } from './webhook-dependencies.js';
import { webhook, type WebhookCommand } from './webhook.decider.js';

/** Injection token of the {@link WebhookDependencies}. */
export const WEBHOOK_DEPENDENCIES = Symbol('WebhookDependencies');

type Nothing = Promise<Handled<Record<string, never>>>;

const hostOf = (url: string): string => {
  try {
    return requireWebAddress(url).host;
  } catch (error) {
    if (error instanceof OutboundError) throw new Rejection('input.invalid', error.message, 'url', { cause: error });
    throw error;
  }
};

/** Answers the commands about webhooks. */
@Controller()
export class WebhookController {
  constructor(@Inject(WEBHOOK_DEPENDENCIES) private readonly tools: WebhookDependencies) {}

  /** Adds a webhook. */
  @HandlesCommand(addWebhook)
  async add(message: CommandOf<typeof addWebhook>): AnswerTo<typeof addWebhook> {
    const { ids, sealer, secrets } = this.tools;
    const { url, secret = secrets.of(message.id), name, patterns, userId } = message.data;
    const host = hostOf(url);
    await this.requirePlace();
    await this.requireAccount(userId);
    const sealed = { sealedUrl: sealer.seal(url), sealedSecret: sealer.seal(secret) };
    const added = { host, name, patterns, userId, ...sealed, after: await this.ends(), createdAtMs: message.at };
    return ids.under(message.id, async (number) => {
      const webhookId = toWebhookId.parse(number);
      const outcome = await this.decide(message, webhookId, { type: 'add', webhook: { ...added, webhookId } });
      return { result: { webhookId, secret }, positions: positionsOf(outcome) };
    });
  }

  /** Removes a webhook. */
  @HandlesCommand(removeWebhook)
  remove(message: CommandOf<typeof removeWebhook>): Nothing {
    const { webhookId } = message.data;
    return done(this.decide(message, webhookId, { type: 'remove', webhookId }));
  }

  /** Enables a webhook again. */
  @HandlesCommand(enableWebhook)
  async enable(message: CommandOf<typeof enableWebhook>): Nothing {
    const { webhookId } = message.data;
    return done(this.decide(message, webhookId, { type: 'enable', webhookId, after: await this.ends() }));
  }

  /** Tells a webhook nothing more. */
  @HandlesCommand(disableWebhook)
  disable(message: CommandOf<typeof disableWebhook>): Nothing {
    const { webhookId, reason } = message.data;
    return done(this.decide(message, webhookId, { type: 'disable', webhookId, reason }));
  }

  /** Sends a webhook a test. */
  @HandlesCommand(testWebhook)
  async test(message: CommandOf<typeof testWebhook>): AnswerTo<typeof testWebhook> {
    const { db, send, targetOf } = this.tools;
    const { webhookId } = message.data;
    const row = await db.selectFrom('social.webhook').selectAll().where('id', '=', webhookId).executeTakeFirst();
    if (!row) throw new Rejection('webhook.not-found');
    const event: PublicEvent = {
      id: `test-${message.id}`,
      type: 'webhook.tested',
      version: PUBLIC_EVENT_VERSION,
      time: new Date(message.at).toISOString(),
      actor: { type: 'system' },
      object: { type: 'webhook', id: String(webhookId) },
      data: {},
    };
    const { status, fault, durationMs } = await send(targetOf(row), event);
    return { result: { status, fault, durationMs }, positions: [] };
  }

  private async requirePlace(): Promise<void> {
    const { db, maxWebhooks } = this.tools;
    const { count } = await db.selectFrom('social.webhook').select(db.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
    if (count >= maxWebhooks) throw new Rejection('input.too-large', `there are ${maxWebhooks} webhooks already`);
  }

  private async requireAccount(userId: number | null): Promise<void> {
    if (userId === null) return;
    const row = await this.tools.db.selectFrom('social.user').select('id').where('id', '=', userId).executeTakeFirst();
    if (!row) throw new Rejection('user.not-found');
  }

  /** Ends of the logs now; a webhook is notified of what comes after. A log that does not exist yet begins at its beginning. */
  private async ends(): Promise<Record<string, number>> {
    const positions = notifiedContexts.map(async (context) => [context, await this.tools.endOf(context)] as const);
    return Object.fromEntries(await Promise.all(positions));
  }

  private decide(message: CommandMessage, webhookId: WebhookId, command: WebhookCommand): Promise<DecisionOutcome> {
    return this.tools.aggregates.run([decision(webhook, webhookId, command)], decisionMeta(message));
  }
}
