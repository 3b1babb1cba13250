import {
  answerQuery,
  checkedOutboundClient,
  SERVICE_DEPENDENCIES,
  type OutboundClient,
  type Running,
  type ServiceDependencies,
  type ServiceHooks,
} from '@continuo/chassis';
import { PLUGINS_SUBJECT, pluginsQuery } from '@continuo/contracts';
import { PluginHost, PostgresAnswerCache, PostgresRateLimiter } from '@continuo/plugins';
import { Inject, type BeforeApplicationShutdown } from '@nestjs/common';
import type { IngestionConfig } from '../config.js';

const SCHEMA = 'ingestion';

/** The plug-ins of this service, started with it: facts, lyrics and art. */
export class Providers implements BeforeApplicationShutdown, Pick<ServiceHooks, 'readinessParts'> {
  readonly outbound: OutboundClient;
  readonly #host: Promise<PluginHost>;
  readonly #answered: Running;
  #states: PluginHost | undefined;

  constructor(@Inject(SERVICE_DEPENDENCIES) { config, db, log, metrics, nats, now }: ServiceDependencies<IngestionConfig>) {
    this.outbound = checkedOutboundClient({ allowed: config.OUTBOUND_ALLOWED_NETWORKS, counted: { metrics, purpose: 'plugins' } });
    this.#host = PluginHost.start({
      config,
      log,
      metrics,
      now,
      outbound: this.outbound,
      memory: new PostgresAnswerCache(db, SCHEMA),
      pace: new PostgresRateLimiter(db, SCHEMA),
      parts: ['metadata', 'lyrics', 'art'],
    });
    const answer = async () => ({ service: 'ingestion', plugins: (await this.#host).health() });
    this.#answered = answerQuery({ nats, log, subject: PLUGINS_SUBJECT, query: pluginsQuery, answer });
    this.#watch().catch((error: unknown) => log.error({ err: error }, 'failed to start plug-ins'));
  }

  /** The plug-ins once they have started, which takes less than a second. */
  host(): Promise<PluginHost> {
    return this.#host;
  }

  async #watch(): Promise<void> {
    this.#states = await this.#host;
  }

  readinessParts(): Readonly<Record<string, string>> {
    return this.#states?.states() ?? {};
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#answered.stop();
    const [host] = await Promise.allSettled([this.#host]);
    if (host.status === 'fulfilled') await host.value.stop();
    await this.outbound.close();
  }
}
