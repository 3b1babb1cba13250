import {
  audienceResolver,
  checkedOutboundClient,
  checkpointReader,
  noTelemetry,
  publicEventIds,
  type AggregateRunner,
  type CommandIds,
  type Running,
  type ServiceDependencies,
  type ToldContext,
} from '@continuo/chassis';
import {
  disableWebhook,
  webhookId,
  type EventStreamName,
  type ReadModel,
  type readModelProjections,
  type WebhookTable,
} from '@continuo/contracts';
import type { Kysely } from 'kysely';
import type { SocialConfig } from '../config.js';
import { postgresDeliveryJournal } from './delivery/delivery-journal.js';
import { WebhookDelivery, type DeliveryTools } from './delivery/webhook-delivery.js';
import { postgresWebhookEyes } from './delivery/webhook-eyes.js';
import { webhookSender, type SendEvent, type WebhookTarget } from './delivery/webhook-sender.js';
import { WebhookSupervisor } from './delivery/webhook-supervisor.js';
import { postgresWebhookIds } from './webhook-ids.js';
import { webhookSecrets, type WebhookSecrets } from './webhook-secrets.js';

type Dependencies = ServiceDependencies<SocialConfig>;

/** What webhooks are made and tested with. */
export interface WebhookTools {
  readonly aggregates: AggregateRunner;
  /** Where a log ends; 0 for one that is not there yet. */
  readonly endOf: (context: ToldContext) => Promise<number>;
  readonly sealer: Dependencies['sealer'];
  readonly ids: CommandIds;
  readonly secrets: WebhookSecrets;
  readonly db: Kysely<ReadModel>;
  readonly send: SendEvent;
  readonly targetOf: DeliveryTools['targetOf'];
  readonly maxWebhooks: number;
}

const MAX_RETRY_MS = 4 * 3_600_000;
/** A replica that has not said for so long that it is at work is gone. */
const ACK_WAIT_MS = 10_000;

/** The webhooks' part of the service: what its handlers need, and what runs beside them. */
export interface Webhooks {
  readonly tools: WebhookTools;
  start(): Promise<Running>;
}

const readWebhooks = (db: Kysely<ReadModel>): Promise<WebhookTable[]> =>
  db.selectFrom('social.webhook').selectAll().orderBy('id').execute();

/** The projections that say who may be told what. */
const DECIDING = {
  identity: ['social-accounts'],
  social: ['social-catalog-groups', 'social-preferences', 'social-webhooks'],
} as const satisfies Record<string, readonly (typeof readModelProjections)[EventStreamName][number][]>;

/** Tells whether the tables that say who may be told what have passed the ends that the logs had at the start: empty tables would hide nothing. */
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
  (eventStore: Dependencies['eventStore']): WebhookTools['endOf'] =>
  async (context) => {
    try {
      return await eventStore.lastPosition(context);
    } catch (error) {
      // The service that owns the log has not started yet.
      if (error instanceof Error && /stream not found/i.test(error.message)) return 0;
      throw error;
    }
  };

const deliveryTools = (deps: Dependencies, { send, targetOf }: Pick<WebhookTools, 'send' | 'targetOf'>): DeliveryTools => ({
  resolve: audienceResolver({ db: deps.db, eventStore: deps.eventStore }),
  name: publicEventIds(deps.secrets),
  eyes: postgresWebhookEyes(deps.db),
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

const supervise = async (deps: Dependencies, tools: Pick<WebhookTools, 'send' | 'targetOf'>): Promise<WebhookSupervisor> => {
  const { nats, log, metrics, config, now } = deps;
  const forDelivery = deliveryTools(deps, tools);
  return new WebhookSupervisor({
    reactors: {
      service: 'social',
      nats,
      log,
      metrics,
      tracer: noTelemetry.tracer,
      replicas: config.NATS_REPLICAS,
      drainTimeoutMs: config.DRAIN_TIMEOUT_MS,
    },
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

/** Puts the webhooks of a service together; nothing goes out before they are started. */
export const createWebhooks = (deps: Dependencies): Webhooks => {
  const { config, aggregates, eventStore, sealer, now } = deps;
  const outbound = checkedOutboundClient({
    allowed: config.OUTBOUND_ALLOWED_NETWORKS,
    counted: { metrics: deps.metrics, purpose: 'webhooks' },
  });
  const targetOf = ({ sealed_url, sealed_secret }: WebhookTable): WebhookTarget => ({
    url: sealer.open(sealed_url),
    secret: sealer.open(sealed_secret),
  });
  const send = webhookSender({ outbound, timeoutMs: config.WEBHOOK_TIMEOUT_MS, now });
  const tools: WebhookTools = {
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
  const start = async (): Promise<Running> => {
    const supervisor = await supervise(deps, tools);
    supervisor.start();
    return {
      stop: async () => {
        await supervisor.stop();
        await outbound.close();
      },
    };
  };
  return { tools, start };
};
