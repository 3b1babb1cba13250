import type { Registry } from 'prom-client';
import { registerGauge } from '../register-gauge.js';
import type { Checkpoint } from './checkpoints.js';

/** Events and time that a projection has yet to commit. */
export interface ProjectionBacklog {
  readonly events: number;
  /** Time at which the oldest of them was recorded, epoch milliseconds; absent when there is none. */
  readonly oldestAtMs?: number | undefined;
}

/** State of the tables: live, or being filled to replace the live ones. */
export type LagState = 'live' | 'building';

/** A checkpoint's state as these metrics tell it. */
export const lagStateOf = ({ state }: Pick<Checkpoint, 'state'>): LagState => (state === 'building' ? 'building' : 'live');

/**
 * Lag of the projections of a process. The age is computed when it is read, so that it grows while a projection is held up by an event that it
 * cannot take.
 */
export class ProjectionLag {
  readonly #known = new Map<string, ProjectionBacklog & { readonly projection: string; readonly state: LagState }>();

  constructor(registry: Registry, now: () => number = Date.now) {
    const known = this.#known;
    const shared = { labelNames: ['projection', 'state'] as const, registers: [registry] };
    registerGauge({
      ...shared,
      name: 'continuo_projection_lag_events',
      help: 'Events that the projection has yet to commit',
      collect() {
        this.reset();
        for (const { projection, state, events } of known.values()) this.set({ projection, state }, events);
      },
    });
    registerGauge({
      ...shared,
      name: 'continuo_projection_lag_seconds',
      help: 'Age of the oldest event that the projection has yet to commit, seconds',
      collect() {
        this.reset();
        for (const { projection, state, oldestAtMs } of known.values())
          this.set({ projection, state }, oldestAtMs === undefined ? 0 : Math.max(0, now() - oldestAtMs) / 1000);
      },
    });
  }

  /** Notes where a projection stands. */
  note(projection: string, state: LagState, behind: ProjectionBacklog): void {
    this.#known.set(`${state} ${projection}`, { projection, state, ...behind });
  }

  /** Tells of a projection that this process takes care of from now on; what is known of an earlier try stands. */
  begin(projection: string, state: LagState): void {
    if (!this.#known.has(`${state} ${projection}`)) this.note(projection, state, { events: 0 });
  }

  /** Forgets a projection that this process no longer runs: another one reports it. */
  forget(projection: string, state: LagState): void {
    this.#known.delete(`${state} ${projection}`);
  }
}
