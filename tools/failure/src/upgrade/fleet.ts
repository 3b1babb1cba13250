import { setTimeout as delay } from 'node:timers/promises';
import { startCluster, type Cluster, type Links } from '../cluster/cluster.js';
import type { ServiceProcess, UnexpectedExit } from '../cluster/service-process.js';
import { until } from '../until.js';
import { Balancer } from './balancer.js';
import type { Build, UpgradedService } from './build.js';

/** A place that one replica of a service takes at a time, but for the moments in which it is replaced. */
export interface Place {
  readonly name: string;
  readonly service: UpgradedService;
}

/** Services first, gateways last. */
export const placesOf = (twice: boolean): readonly Place[] => {
  const behind = (['library', 'social', 'playback', 'ingestion'] as const).flatMap((service) =>
    (twice ? [1, 2] : [1]).map((number) => ({ name: `${service}-${number}`, service })),
  );
  return [...behind, { name: 'gateway-1', service: 'gateway' }, { name: 'gateway-2', service: 'gateway' }];
};

/** One replacement of a replica, times in milliseconds. */
export interface Replacement {
  readonly place: string;
  readonly build: string;
  /** From the start of the new replica until it was ready. */
  readonly readyMs: number;
  /** From SIGTERM until the old one had ended. */
  readonly endMs: number;
  /** Exit code of the old replica; 0 is in order. */
  readonly exitCode: number | null;
}

/** Account of the administrator's calls. */
export const administrator = { name: 'upgrade', password: 'a password of the upgrade suite', apiKey: 'upgrade-key-0123456789' } as const;

const READY_MS = 180_000;
/** Time between removal of a pod from its service and SIGTERM: `preStop` of the chart. */
const PRE_STOP_MS = 1500;
const GRACE_MS = 1500;

interface Replica {
  readonly process: ServiceProcess;
  readonly build: Build;
  readonly place: Place;
}

/** Servers, services as processes of their own, and gateways behind a balancer; replicas are replaced one by one. */
export class Fleet implements Links {
  readonly nats: Links['nats'];
  readonly commands: Links['commands'];
  readonly db: Links['db'];
  readonly #cluster: Cluster;
  readonly #replicas = new Map<string, Replica>();
  #launched = 0;

  private constructor(
    cluster: Cluster,
    readonly balancer: Balancer,
  ) {
    this.#cluster = cluster;
    ({ nats: this.nats, commands: this.commands, db: this.db } = cluster);
  }

  /** Starts the servers and the balancer; no service yet. The folder is emptied first. */
  static async start(home: string): Promise<Fleet> {
    const cluster = await startCluster({ home, services: [], settings });
    return new Fleet(cluster, await Balancer.start());
  }

  /** Starts a replica in an empty place, without waiting for it. */
  async launch(place: Place, build: Build): Promise<void> {
    await this.#launch(place, build);
  }

  /** Returns when every replica says that it is ready. */
  ready(withinMs = READY_MS): Promise<void> {
    return until('every service is ready', withinMs, async () => {
      const answers = await Promise.all([...this.#replicas.values()].map((replica) => this.#isReady(replica)));
      return answers.every(Boolean);
    });
  }

  /** Starts a replica of a build beside the one that has the place, waits until it is ready, then ends the old one in order. */
  async replace(place: Place, build: Build): Promise<Replacement> {
    const old = this.#replicas.get(place.name);
    const startedAt = performance.now();
    const fresh = await this.#launch(place, build);
    await until(`${place.name} of ${build.name} is ready`, READY_MS, () => this.#isReady(fresh));
    const readyMs = Math.round(performance.now() - startedAt);
    const ended = old ? await this.#end(old) : { endMs: 0, exitCode: 0 };
    return { place: place.name, build: build.name, readyMs, ...ended };
  }

  /** Services that ended without being asked to. */
  selfExits(): readonly UnexpectedExit[] {
    return this.#cluster.selfExits();
  }

  async stop(): Promise<void> {
    await this.balancer.stop();
    await this.#cluster.stop();
  }

  async #end({ place, process, build }: Replica): Promise<Pick<Replacement, 'endMs' | 'exitCode'>> {
    if (place.service === 'gateway' && !build.hasGrace) {
      this.balancer.remove(process.name);
      await delay(PRE_STOP_MS);
    }
    const startedAt = performance.now();
    await process.stop();
    this.balancer.remove(process.name);
    return { endMs: Math.round(performance.now() - startedAt), exitCode: process.exit?.code ?? null };
  }

  async #launch(place: Place, build: Build): Promise<Replica> {
    const { service } = place;
    const name = `${place.name}-${build.name}-${this.#launched}`;
    this.#launched += 1;
    const process = await this.#cluster.launch({ name, service, program: build.programOf(service) });
    const replica = { process, build, place };
    this.#replicas.set(place.name, replica);
    if (service === 'gateway') this.balancer.add({ name, port: Number(process.setting('PORT')) });
    return replica;
  }

  /** A gateway has to be ready for the balancer, and only that counts. */
  #isReady({ place, process }: Replica): Promise<boolean> {
    return place.service === 'gateway' ? Promise.resolve(this.balancer.isReady(process.name)) : process.isReady();
  }
}

const settings = {
  CONTINUO_ADMIN_USER: administrator.name,
  CONTINUO_ADMIN_PASSWORD: administrator.password,
  CONTINUO_ADMIN_API_KEY: administrator.apiKey,
  DRAIN_GRACE_MS: String(GRACE_MS),
  // A busy machine may take its time; a read that does not show the write before it is a fault all the same.
  READ_YOUR_WRITES_TIMEOUT_MS: '20000',
  DATABASE_POOL_SIZE: '4',
};
