import { answerQuery, type OutboundClient, type Running, type ServiceDependencies } from '@continuo/chassis';
import { PLUGINS_SUBJECT, pluginsQuery } from '@continuo/contracts';
import { PluginHost, PostgresAnswerCache, PostgresRateLimiter } from '@continuo/plugins';
import type { PlaybackConfig } from '../../config.js';

const SCHEMA = 'playback';

/** The plug-ins that tell services of plays, started when they are first needed. */
export class RelayPlugins {
  #host: Promise<PluginHost> | undefined;
  readonly #answered: Running;

  constructor(
    private readonly deps: ServiceDependencies<PlaybackConfig>,
    private readonly outbound: OutboundClient,
  ) {
    const answer = async () => ({ service: 'playback', plugins: (await this.host()).health() });
    this.#answered = answerQuery({ nats: deps.nats, log: deps.log, subject: PLUGINS_SUBJECT, query: pluginsQuery, answer });
  }

  /** Never fails: one that cannot be used is left out. */
  host(): Promise<PluginHost> {
    const { config, log, metrics, db, now } = this.deps;
    this.#host ??= PluginHost.start({
      config,
      log,
      metrics,
      now,
      outbound: this.outbound,
      memory: new PostgresAnswerCache(db, SCHEMA),
      pace: new PostgresRateLimiter(db, SCHEMA),
      parts: ['scrobbler'],
    });
    return this.#host;
  }

  async stop(): Promise<void> {
    await this.#answered.stop();
    await (await this.#host)?.stop();
  }
}
