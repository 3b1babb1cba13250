import { Gauge, type Registry } from 'prom-client';

/** What is told of a pool of connections. */
export interface PoolCounts {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** The pools of connections to Postgres of one service. */
export class PoolGauges {
  readonly #pools = new Map<string, { readonly counts: PoolCounts; readonly size: number }>();

  constructor(registry: Registry) {
    const pools = this.#pools;
    const gauge = (name: string, help: string, read: (counts: PoolCounts, size: number) => number): Gauge =>
      new Gauge({
        name,
        help,
        labelNames: ['pool'],
        registers: [registry],
        collect() {
          this.reset();
          for (const [pool, { counts, size }] of pools) this.set({ pool }, read(counts, size));
        },
      });
    gauge('continuo_database_connections_used', 'Connections to Postgres at work', ({ totalCount, idleCount }) => totalCount - idleCount);
    gauge('continuo_database_connections', 'Connections to Postgres that there may be', (_, size) => size);
    gauge('continuo_database_waiting', 'Statements that wait for a connection to Postgres', ({ waitingCount }) => waitingCount);
  }

  /** Follows a pool until the answered function is called. */
  follow(name: string, counts: PoolCounts, size: number): () => void {
    const followed = { counts, size };
    this.#pools.set(name, followed);
    return () => {
      if (this.#pools.get(name) === followed) this.#pools.delete(name);
    };
  }
}
