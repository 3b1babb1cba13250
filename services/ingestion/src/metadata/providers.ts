import { checkedOutboundClient, type OutboundClient, type RunningService, type ServiceDependencies } from '@continuo/chassis';
import { PluginHost, PostgresAnswerMemory, PostgresPaceGate } from '@continuo/plugins';
import type { IngestionConfig } from '../config.js';

const SCHEMA = 'ingestion';

/** The plug-ins of this service, started with it: facts, lyrics and art. */
export class Providers implements RunningService {
  readonly outbound: OutboundClient;
  readonly #host: Promise<PluginHost>;
  #states: PluginHost | undefined;

  constructor({ config, db, log, metrics, now }: ServiceDependencies<IngestionConfig>) {
    this.outbound = checkedOutboundClient({ allowed: config.OUTBOUND_ALLOWED_NETWORKS, counted: { metrics, purpose: 'plugins' } });
    this.#host = PluginHost.start({
      config,
      log,
      metrics,
      now,
      outbound: this.outbound,
      memory: new PostgresAnswerMemory(db, SCHEMA),
      pace: new PostgresPaceGate(db, SCHEMA),
      parts: ['metadata', 'lyrics', 'art'],
    });
    this.#watch().catch((error: unknown) => log.error({ err: error }, 'the plug-ins cannot be started'));
  }

  /** The plug-ins once they have started, which takes less than a second. */
  host(): Promise<PluginHost> {
    return this.#host;
  }

  async #watch(): Promise<void> {
    this.#states = await this.#host;
  }

  parts(): Readonly<Record<string, string>> {
    return this.#states?.states() ?? {};
  }

  async stop(): Promise<void> {
    const [host] = await Promise.allSettled([this.#host]);
    if (host.status === 'fulfilled') await host.value.stop();
    await this.outbound.close();
  }
}

/** One set of plug-ins per running service, shared by its handlers and its start. */
const providersByService = new WeakMap<object, Providers>();

/** The plug-ins of a running service. */
export const providersOf = (deps: ServiceDependencies<IngestionConfig>): Providers => {
  const known = providersByService.get(deps) ?? new Providers(deps);
  providersByService.set(deps, known);
  return known;
};
