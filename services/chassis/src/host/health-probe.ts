import type { Readiness } from '../health.js';
import type { ProjectionStatus } from '../projections/projection-runner.js';
import type { RunningProjections } from '../projections/start.js';
import type { ServiceDefinition, ServiceHooks } from '../service.js';
import type { Running } from '../running.js';
import { onStatus } from '../transport/on-status.js';
import type { DatabaseWatch } from './database-watch.js';
import type { Connections } from './dependencies.js';

const NOT_READY: ReadonlySet<ProjectionStatus['role']> = new Set(['starting', 'building', 'held', 'refused']);

/** Connections and checks that readiness depends on. */
export type ProbedConnections = Pick<Connections, 'nats'> & {
  readonly database: Pick<DatabaseWatch, 'isAnswering'>;
  readonly logWrites: Pick<Connections['logWrites'], 'fault'>;
  readonly logWatch?: Pick<Connections['logWatch'], 'damage'>;
  readonly definition?: Pick<ServiceDefinition, 'readsWithoutNats'>;
};

/** Follows whether the connections work, so that asking for the readiness costs nothing. */
export class HealthProbe implements Running {
  readonly #connections: ProbedConnections;
  readonly #projections: Pick<RunningProjections, 'status'> | undefined;
  readonly #providers: readonly Partial<ServiceHooks>[];
  #nats = true;
  #draining = false;

  /** @param providers those of the service that have hooks */
  constructor(
    connections: ProbedConnections,
    projections: Pick<RunningProjections, 'status'> | undefined,
    providers: readonly Partial<ServiceHooks>[] = [],
  ) {
    this.#connections = connections;
    this.#projections = projections;
    this.#providers = providers;
    const { nats } = connections;
    const isThere = (yes: boolean) => () => void (this.#nats = yes);
    onStatus(nats, 'disconnect', isThere(false));
    onStatus(nats, 'reconnect', isThere(true));
    onStatus(nats, 'close', isThere(false));
  }

  /**
   * A log of which events are missing makes the service that owns it not ready: reads go on all the same, commands do not. A projection that has not begun, refuses its log, or may not go on makes the service not ready, and so does one whose readers still see tables of an older release: whoever replaces
   * replicas one by one leaves those of the older release where they are until then. One that catches up or stands by does not.
   */
  readiness(): Readiness {
    const projections = (this.#projections?.status() ?? []).map(({ name, role, fault }) => [`projection ${name}`, fault ?? role] as const);
    const held = (this.#projections?.status() ?? []).some(({ role, isCurrent }) => NOT_READY.has(role) || !isCurrent);
    const { isAnswering } = this.#connections.database;
    const damage = this.#connections.logWatch?.damage() ?? {};
    const parts = {
      nats: this.#natsState(),
      database: isAnswering ? 'ok' : 'does not answer',
      ...damage,
      ...Object.fromEntries(projections),
      ...Object.assign({}, ...this.#providers.map((provider) => provider.readinessParts?.())),
    };
    return {
      ready:
        this.#hasNatsItNeeds() &&
        isAnswering &&
        !held &&
        Object.keys(damage).length === 0 &&
        !this.#draining &&
        this.#providers.every((provider) => provider.isReady?.() ?? true),
      parts: this.#draining ? { ...parts, service: 'draining' } : parts,
    };
  }

  /** Reports the service as not ready from now on. */
  stop(): Promise<void> {
    this.#draining = true;
    return Promise.resolve();
  }

  #hasNatsItNeeds(): boolean {
    const { nats, definition } = this.#connections;
    return this.#nats || (definition?.readsWithoutNats === true && !nats.isClosed());
  }

  /** A log that cannot be written does not make the service unready: what only reads goes on. A nats-server that ended may be unable to start for want of room. */
  #natsState(): string {
    const { fault } = this.#connections.logWrites;
    if (this.#nats) return fault ?? 'ok';
    return fault ? `does not answer; ${fault}` : 'does not answer';
  }
}
