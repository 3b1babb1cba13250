import { EventReactor, every, pause, purgeReplays, removeReactor, type JobDelivery, type ReactorDependencies } from '@continuo/chassis';
import { projectedSubject, type RecordedEvent, type WebhookTable } from '@continuo/contracts';
import type { Subscription } from '@nats-io/transport-node';
import { notifiedAggregates, type NotifiedContext, notifiedContexts, notifiedDefinitions } from '@continuo/public-events';
import type { DeliveryJournal } from './delivery-journal.js';
import type { WebhookDelivery } from './webhook-delivery.js';

/** Dependencies of the supervisor. */
export interface SupervisorOptions {
  readonly reactors: ReactorDependencies;
  readonly delivery: Pick<WebhookDelivery, 'tell'>;
  readonly journal: Pick<DeliveryJournal, 'prune'>;
  /** The webhooks that there are. */
  readonly webhooks: () => Promise<readonly WebhookTable[]>;
  /** Returns the end of a log; 0 for one that does not exist yet. */
  readonly endOf: (context: NotifiedContext) => Promise<number>;
  /** True once the tables know everything that was in the log when this replica started. */
  readonly isCaughtUp: () => Promise<boolean>;
  readonly maxAttempts: number;
  /** Silence after which another replica takes over, ms. */
  readonly ackWaitMs: number;
  readonly now: () => number;
}

/** The reactors of one run of one webhook: from being enabled to being disabled. */
interface Run {
  readonly webhookId: number;
  readonly contexts: readonly NotifiedContext[];
  readonly number: number;
  readonly reactors: readonly EventReactor[];
}

const PROJECTION = 'social-webhooks';
/** The list is read again so often, in case a notice was lost. */
const RENEW_MS = 30_000;
const PRUNE_EVERY_MS = 600_000;
const CATCH_UP_PAUSE_MS = 200;

/** Names of the consumers of one run. Runs have consumers of their own: one that ends can be taken away while the next one begins. */
const nameOf = (webhookId: number, context: NotifiedContext, run: number): string => `webhook-${webhookId}-${context}-${run}`;

/** The name under which what was put aside comes back, whichever run it was. */
const replayNameOf = (webhookId: number, context: NotifiedContext): string => `webhook-${webhookId}-${context}`;

/** The contexts whose events match the patterns of a webhook. */
const contextsOf = ({ patterns }: WebhookTable): readonly NotifiedContext[] =>
  notifiedContexts.filter((context) => notifiedAggregates(context, patterns).length > 0);

/**
 * Lets each enabled webhook follow the logs, by durable consumers of its own that all replicas share: one event of a log at a time, in the order of the log, from
 * whichever replica is free. The logs are the queue: a receiver that is down holds up nobody but itself, and nothing is copied.
 */
export class WebhookSupervisor {
  readonly #options: SupervisorOptions;
  readonly #stopping = new AbortController();
  readonly #runs = new Map<number, Run>();
  #webhooks: ReadonlyMap<number, WebhookTable> = new Map();
  #endTimers: (() => void)[] = [];
  #subscription: Subscription | undefined;
  #renewing: Promise<void> | undefined;
  #renewAgain = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** Begins to follow the list of webhooks. What they are told begins when the tables have caught up with the log. */
  start(): void {
    const { nats } = this.#options.reactors;
    this.#subscription = nats.subscribe(projectedSubject(PROJECTION), { callback: () => void this.#renew() });
    this.#endTimers = [every(RENEW_MS, () => this.#renew()), every(PRUNE_EVERY_MS, () => this.#prune())];
    this.#renewing = this.#whenCaughtUp();
  }

  /** Takes no more events and hands back what is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#subscription?.unsubscribe();
    for (const end of this.#endTimers) end();
    await this.#renewing;
    await Promise.all([...this.#runs.values()].flatMap(({ reactors }) => reactors.map((reactor) => reactor.drain())));
  }

  async #whenCaughtUp(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const isCaughtUp = await this.#options.isCaughtUp().catch((err: unknown) => {
        this.#options.reactors.log.warn({ err }, 'failed to check whether webhooks may start');
        return false;
      });
      if (isCaughtUp) break;
      await pause(CATCH_UP_PAUSE_MS, this.#stopping.signal);
    }
    this.#renewing = undefined;
    void this.#renew();
  }

  /** Reads the list and follows it; a notice that comes meanwhile leads to another reading. */
  #renew(): Promise<void> | undefined {
    if (this.#stopping.signal.aborted) return undefined;
    if (this.#renewing) {
      this.#renewAgain = true;
      return this.#renewing;
    }
    this.#renewAgain = false;
    this.#renewing = this.#follow()
      .catch((err: unknown) => this.#options.reactors.log.warn({ err }, 'failed to read webhooks; trying again'))
      .finally(() => {
        this.#renewing = undefined;
        if (this.#renewAgain) void this.#renew();
      });
    return this.#renewing;
  }

  async #follow(): Promise<void> {
    const rows = await this.#options.webhooks();
    const before = [...this.#webhooks.keys()];
    this.#webhooks = new Map(rows.map((row) => [row.id, row]));
    for (const run of this.#runs.values()) {
      const row = this.#webhooks.get(run.webhookId);
      if (!row?.enabled || row.run !== run.number) await this.#end(run);
    }
    for (const id of before) if (!this.#webhooks.has(id)) await this.#forget(id);
    for (const row of rows) if (row.enabled && !this.#runs.has(row.id)) await this.#begin(row);
  }

  async #begin(row: WebhookTable): Promise<void> {
    const contexts = contextsOf(row);
    const ends = await Promise.all(contexts.map((context) => this.#options.endOf(context)));
    const reactors = contexts.map((context, index) => this.#reactor(row, context, ends[index] ?? 0));
    try {
      await Promise.all(reactors.map((reactor) => reactor.start()));
      this.#runs.set(row.id, { webhookId: row.id, contexts, number: row.run, reactors });
    } catch (error) {
      // The next look at the list tries again; what has begun meanwhile would follow the log twice.
      await Promise.all(reactors.map((reactor) => reactor.drain()));
      throw error;
    }
  }

  #reactor(row: WebhookTable, context: NotifiedContext, end: number): EventReactor {
    const { reactors, maxAttempts, ackWaitMs } = this.#options;
    const after = JSON.parse(row.after) as Readonly<Record<string, number>>;
    const reaction = {
      context,
      name: nameOf(row.id, context, row.run),
      replayName: replayNameOf(row.id, context),
      definitions: notifiedDefinitions(context),
      options: {
        order: 'log',
        // A log that ends before that was made anew; waiting for the old position would be silence. Of a log whose events nobody was told when the webhook was
        // added, the history is not sent.
        startFrom: { afterPosition: Math.min(after[context] ?? end, end) },
        aggregates: notifiedAggregates(context, row.patterns),
        maxAttempts,
        ackWaitMs,
      },
    } as const;
    return new EventReactor(reactors, reaction, (event, delivery) => this.#tell(row.id, row.run, event as RecordedEvent, delivery));
  }

  /** Delivers an event to a webhook in its present state: one that was disabled meanwhile is skipped. */
  async #tell(webhookId: number, run: number, event: RecordedEvent, delivery: JobDelivery): Promise<void> {
    const row = this.#webhooks.get(webhookId);
    if (row?.enabled && row.run === run) await this.#options.delivery.tell(row, event, delivery);
  }

  /** Every replica takes the consumers away once it has let go of them: the last one does so for good. */
  async #end({ webhookId, contexts, number, reactors }: Run): Promise<void> {
    const tools = this.#options.reactors;
    this.#runs.delete(webhookId);
    await Promise.all(reactors.map((reactor) => reactor.drain()));
    for (const context of contexts) await removeReactor(tools, { context, name: nameOf(webhookId, context, number) });
  }

  /** Deletes the events put aside of a webhook. */
  async #forget(webhookId: number): Promise<void> {
    for (const context of notifiedContexts) await purgeReplays(this.#options.reactors, { name: replayNameOf(webhookId, context) });
  }

  async #prune(): Promise<void> {
    const { journal, now, reactors } = this.#options;
    await journal
      .prune([...this.#webhooks.keys()], now())
      .catch((err: unknown) => reactors.log.warn({ err }, 'failed to delete old rows of the delivery journal'));
  }
}
