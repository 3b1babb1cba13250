import { sql } from 'kysely';
import type { Readiness } from '../health.js';
import type { ProjectionStatus } from '../projections/projection-runner.js';
import type { RunningProjections } from '../projections/start.js';
import type { Running, RunningService } from '../service.js';
import type { Connections } from './dependencies.js';

const EVERY_MS = 5000;
const PATIENCE_MS = 3000;
const NOT_READY: ReadonlySet<ProjectionStatus['role']> = new Set(['starting', 'building', 'held', 'refused']);

/** Follows whether the connections work, so that asking for the readiness costs nothing. */
export class HealthProbe implements Running {
  readonly #connections: Pick<Connections, 'nats' | 'db'>;
  readonly #projections: Pick<RunningProjections, 'status'> | undefined;
  readonly #service: RunningService | undefined;
  readonly #timer: NodeJS.Timeout;
  #nats = true;
  #database = true;
  #draining = false;

  constructor(
    connections: Pick<Connections, 'nats' | 'db'>,
    projections: Pick<RunningProjections, 'status'> | undefined,
    service?: RunningService,
  ) {
    this.#connections = connections;
    this.#projections = projections;
    this.#service = service;
    this.#timer = setInterval(() => void this.#look(), EVERY_MS);
    this.#timer.unref();
    void this.#followNats();
  }

  /**
   * A projection that has not begun, refuses its log, or may not go on makes the service not ready, and so does one whose readers still see tables of an older release: whoever replaces
   * replicas one by one leaves those of the older release where they are until then. One that catches up or stands by does not.
   */
  readiness(): Readiness {
    const projections = (this.#projections?.status() ?? []).map(({ name, role, fault }) => [`projection ${name}`, fault ?? role] as const);
    const held = (this.#projections?.status() ?? []).some(({ role, isCurrent }) => NOT_READY.has(role) || !isCurrent);
    const parts = {
      nats: this.#nats ? 'ok' : 'does not answer',
      database: this.#database ? 'ok' : 'does not answer',
      ...Object.fromEntries(projections),
      ...this.#service?.parts?.(),
    };
    return {
      ready: this.#nats && this.#database && !held && !this.#draining && (this.#service?.isReady?.() ?? true),
      parts: this.#draining ? { ...parts, service: 'draining' } : parts,
    };
  }

  /** Reports the service as not ready from now on. */
  stop(): Promise<void> {
    this.#draining = true;
    clearInterval(this.#timer);
    return Promise.resolve();
  }

  async #look(): Promise<void> {
    this.#database = await answers(sql`select 1`.execute(this.#connections.db));
  }

  /** Ends with the connection. */
  async #followNats(): Promise<void> {
    for await (const { type } of this.#connections.nats.status()) {
      if (type === 'disconnect' || type === 'close') this.#nats = false;
      else if (type === 'reconnect') this.#nats = true;
    }
  }
}

const answers = async (asked: Promise<unknown>): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), PATIENCE_MS);
  asked.then(
    () => resolve(true),
    () => resolve(false),
  );
  const answered = await promise;
  clearTimeout(timer);
  return answered;
};
