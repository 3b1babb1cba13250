import {
  checkedOutboundClient,
  checkpointReader,
  reactorDependencies,
  type AggregateRunner,
  type CommandIds,
  SERVICE_DEPENDENCIES,
  type OutboundClient,
  type ServiceDependencies,
} from '@continuo/chassis';
import {
  disableWebhook,
  webhookId,
  type EventStreamName,
  type ReadModel,
  type readModelProjections,
  type WebhookTable,
} from '@continuo/contracts';
import { Inject, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { audienceResolver, type NotifiedContext, publicEventIds } from '@continuo/public-events';
import type { SocialConfig } from '../config.js';
import { postgresDeliveryJournal } from './delivery/delivery-journal.js';
import { WebhookDelivery, type DeliveryDependencies } from './delivery/webhook-delivery.js';
import { postgresWebhookVisibility } from './delivery/webhook-visibility.js';
import { webhookSender, type SendEvent, type WebhookTarget } from './delivery/webhook-sender.js';
import { WebhookSupervisor } from './delivery/webhook-supervisor.js';
import { postgresWebhookIds } from './webhook-ids.js';
import { webhookSecrets, type WebhookSecrets } from './webhook-secrets.js';

type Dependencies = ServiceDependencies<SocialConfig>;

/** Dependencies for creating and testing webhooks. */
export interface WebhookDependencies {
  readonly aggregates: AggregateRunner;
  /** Returns the end of a log; 0 for one that does not exist yet. */
  readonly endOf: (context: NotifiedContext) => Promise<number>;
  readonly sealer: Dependencies['sealer'];
  readonly ids: CommandIds;
  readonly secrets: WebhookSecrets;
  readonly db: Kysely<ReadModel>;
  readonly send: SendEvent;
  readonly targetOf: DeliveryDependencies['targetOf'];
  readonly maxWebhooks: number;
}

const MAX_RETRY_MS = 4 * 3_600_000;
/** A replica that has not said for so long that it is at work is gone. */
const ACK_WAIT_MS = 10_000;

const readWebhooks = (db: Kysely<ReadModel>): Promise<WebhookTable[]> =>
  db.selectFrom('social.webhook').selectAll().orderBy('id').execute();

/** The projections that decide who may be notified of what. */
const DECIDING = {
  identity: ['social-accounts'],
  social: ['social-catalog-groups', 'social-preferences', 'social-webhooks'],
} as const satisfies Record<string, readonly (typeof readModelProjections)[EventStreamName][number][]>;

/** Returns whether the tables that decide on notifications have passed the ends that the logs had at the start: empty tables would hide nothing. */
const catchingUp = async ({ eventStore, db }: Dependencies): Promise<() => Promise<boolean>> => {
  const [identity, social] = await Promise.all([eventStore.lastPosition('identity'), eventStore.lastPosition('social')]);
  const readCheckpoints = checkpointReader(db);
  return async () => {
    const checkpoints = await readCheckpoints();
    const isBehind = (names: readonly string[], wanted: number): boolean => names.some((name) => (checkpoints.get(name) ?? 0) < wanted);
    return !isBehind(DECIDING.identity, identity) && !isBehind(DECIDING.social, social);
  };
};

const endReader =
  (eventStore: Dependencies['eventStore']): WebhookDependencies['endOf'] =>
  async (context) => {
    try {
      return await eventStore.lastPosition(context);
    } catch (error) {
      // The service that owns the log has not started yet.
      if (error instanceof Error && /stream not found/i.test(error.message)) return 0;
      throw error;
    }
  };

const deliveryDependencies = (
  deps: Dependencies,
  { send, targetOf }: Pick<WebhookDependencies, 'send' | 'targetOf'>,
): DeliveryDependencies => ({
  resolve: audienceResolver({ db: deps.db, eventStore: deps.eventStore }),
  name: publicEventIds(deps.secrets),
  visibility: postgresWebhookVisibility(deps.db),
  journal: postgresDeliveryJournal(deps.db),
  send,
  targetOf,
  end: async ({ id }, reason, delivery) => {
    await deps.commands.send(disableWebhook, { webhookId: webhookId.parse(id), reason }, delivery);
  },
  limits: { firstMs: deps.config.WEBHOOK_FIRST_RETRY_MS, mostMs: MAX_RETRY_MS, maxAttempts: deps.config.WEBHOOK_ATTEMPTS },
  log: deps.log,
  now: deps.now,
});

const supervise = async (deps: Dependencies, tools: Pick<WebhookDependencies, 'send' | 'targetOf'>): Promise<WebhookSupervisor> => {
  const { config, now } = deps;
  const forDelivery = deliveryDependencies(deps, tools);
  return new WebhookSupervisor({
    reactors: reactorDependencies('social', deps),
    delivery: new WebhookDelivery(forDelivery),
    journal: forDelivery.journal,
    webhooks: () => readWebhooks(deps.db),
    endOf: endReader(deps.eventStore),
    isCaughtUp: await catchingUp(deps),
    maxAttempts: config.WEBHOOK_ATTEMPTS,
    ackWaitMs: ACK_WAIT_MS,
    now,
  });
};

const toolsOf = (deps: Dependencies, outbound: OutboundClient): WebhookDependencies => {
  const { config, aggregates, eventStore, sealer, now } = deps;
  const targetOf = ({ sealed_url, sealed_secret }: WebhookTable): WebhookTarget => ({
    url: sealer.open(sealed_url),
    secret: sealer.open(sealed_secret),
  });
  const send = webhookSender({ outbound, timeoutMs: config.WEBHOOK_TIMEOUT_MS, now });
  return {
    aggregates,
    endOf: endReader(eventStore),
    sealer,
    ids: postgresWebhookIds(deps.db),
    secrets: webhookSecrets(deps.secrets),
    db: deps.db,
    send,
    targetOf,
    maxWebhooks: config.WEBHOOKS,
  };
};

/** The webhooks of a running service: dependencies of their handlers, and what sends in the background. */
export class Webhooks implements BeforeApplicationShutdown {
  readonly tools: WebhookDependencies;
  readonly #outbound: OutboundClient;
  #supervisor: WebhookSupervisor | undefined;

  constructor(@Inject(SERVICE_DEPENDENCIES) private readonly deps: Dependencies) {
    this.#outbound = checkedOutboundClient({
      allowed: deps.config.OUTBOUND_ALLOWED_NETWORKS,
      counted: { metrics: deps.metrics, purpose: 'webhooks' },
    });
    this.tools = toolsOf(deps, this.#outbound);
  }

  /** Begins to send. */
  async start(): Promise<void> {
    this.#supervisor = await supervise(this.deps, this.tools);
    this.#supervisor.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#supervisor?.stop();
    await this.#outbound.close();
  }
}
