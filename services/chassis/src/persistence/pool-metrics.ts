import { Gauge, type Registry } from 'prom-client';

/** Counts of a connection pool. */
export interface PoolCounts {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly options: { readonly max: number };
}

/** The pools of connections to Postgres of one service. */
export class PoolGauges {
  readonly #pools = new Map<string, PoolCounts>();

  constructor(registry: Registry) {
    const pools = this.#pools;
    const gauge = (name: string, help: string, read: (counts: PoolCounts) => number): Gauge =>
      new Gauge({
        name,
        help,
        labelNames: ['pool'],
        registers: [registry],
        collect() {
          this.reset();
          for (const [pool, counts] of pools) this.set({ pool }, read(counts));
        },
      });
    gauge('continuo_database_connections_used', 'Connections to Postgres at work', ({ totalCount, idleCount }) => totalCount - idleCount);
    gauge('continuo_database_connections', 'Connections to Postgres that there may be', ({ options }) => options.max);
    gauge('continuo_database_waiting', 'Statements that wait for a connection to Postgres', ({ waitingCount }) => waitingCount);
  }

  /** Follows a pool until the answered function is called. */
  follow(name: string, counts: PoolCounts): () => void {
    this.#pools.set(name, counts);
    return () => {
      if (this.#pools.get(name) === counts) this.#pools.delete(name);
    };
  }
}
