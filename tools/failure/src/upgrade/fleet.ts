import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectNats, createLogger, NatsCommandClient, openDatabase } from '@continuo/chassis';
import { startNats, startPostgres } from '@continuo/local-servers';
import { freePort } from '../cluster/free-port.js';
import type { Links } from '../cluster/cluster.js';
import { ServiceProcess, type SelfExit } from '../cluster/service-process.js';
import { searchPath } from '../config.js';
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
  /** How the old one ended; 0 is in order. */
  readonly exitCode: number | null;
}

/** Whom the administrator's calls are made as. */
export const administrator = { name: 'upgrade', password: 'a password of the upgrade suite', apiKey: 'upgrade-key-0123456789' } as const;

const SECRET = 'a secret of the upgrade suite, long enough';
const READY_MS = 180_000;
/** What Kubernetes waits between taking a pod from its service and SIGTERM: `preStop` of the chart. */
const PRE_STOP_MS = 1500;
const GRACE_MS = 1500;

interface Replica {
  readonly process: ServiceProcess;
  readonly build: Build;
  readonly place: Place;
  readonly port: number;
}

/** Servers, services as processes of their own, and gateways behind a balancer; replicas are replaced one by one. */
export class Fleet implements Links {
  readonly home: string;
  readonly balancer: Balancer;
  readonly nats: Links['nats'];
  readonly commands: Links['commands'];
  readonly db: Links['db'];
  readonly #environment: Readonly<Record<string, string>>;
  readonly #replicas = new Map<string, Replica>();
  readonly #ends: (() => Promise<void>)[];
  readonly #all: ServiceProcess[] = [];

  private constructor(
    home: string,
    links: Links,
    parts: { balancer: Balancer; environment: Readonly<Record<string, string>>; ends: (() => Promise<void>)[] },
  ) {
    this.home = home;
    ({ nats: this.nats, commands: this.commands, db: this.db } = links);
    this.balancer = parts.balancer;
    this.#environment = parts.environment;
    this.#ends = parts.ends;
  }

  /** Starts the servers and the balancer; no service yet. The folder is emptied first. */
  static async start(home: string): Promise<Fleet> {
    await rm(home, { recursive: true, force: true });
    await mkdir(join(home, 'media'), { recursive: true });
    const ends: (() => Promise<void>)[] = [];
    try {
      const postgres = await startPostgres({ dataDir: join(home, 'postgres') });
      ends.push(() => postgres.stop());
      const broker = await startNats({ storeDir: join(home, 'nats') });
      ends.push(() => broker.stop());
      const { user, password } = broker.login ?? { user: '', password: '' };
      const addresses = { DATABASE_URL: postgres.url, NATS_URL: `nats://${broker.server}`, NATS_USER: user, NATS_PASSWORD: password };
      const log = createLogger('failure', 'silent');
      const nats = await connectNats('failure', addresses, log);
      ends.push(() => nats.close());
      const db = openDatabase({ url: postgres.url, poolSize: 3, applicationName: 'continuo-failure', log });
      ends.push(() => db.destroy());
      const balancer = await Balancer.start();
      ends.push(() => balancer.stop());
      const environment = { ...addresses, ...settingsOf(home) };
      return new Fleet(home, { nats, db, commands: new NatsCommandClient(nats) }, { balancer, environment, ends });
    } catch (error) {
      await endAll(ends);
      throw error;
    }
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
  selfExits(): readonly SelfExit[] {
    return this.#all.flatMap((process) => [...process.selfExits]);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#all.map((process) => process.stop()));
    await endAll(this.#ends);
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
    const [healthPort, port] = [await freePort(), await freePort()];
    const name = `${place.name}-${build.name}-${this.#all.length}`;
    const environment = { ...this.#environment, PORT: String(port), TRANSCODE_CACHE: join(this.home, `cache of ${place.name}`) };
    const outputFile = join(this.home, `${name}.log`);
    const process = new ServiceProcess({
      name,
      service: place.service,
      environment,
      healthPort,
      outputFile,
      program: build.programOf(place.service),
    });
    this.#all.push(process);
    const replica = { process, build, place, port };
    this.#replicas.set(place.name, replica);
    if (place.service === 'gateway') this.balancer.add({ name, port });
    return replica;
  }

  /** A gateway has to be ready for the balancer, and only that counts. */
  #isReady({ place, process }: Replica): Promise<boolean> {
    return place.service === 'gateway' ? Promise.resolve(this.balancer.isReady(process.name)) : process.isReady();
  }
}

const settingsOf = (home: string): Readonly<Record<string, string>> => ({
  PATH: searchPath,
  HOST: '127.0.0.1',
  CONTINUO_SECRET: SECRET,
  CONTINUO_DATA: join(home, 'media'),
  CONTINUO_ADMIN_USER: administrator.name,
  CONTINUO_ADMIN_PASSWORD: administrator.password,
  CONTINUO_ADMIN_API_KEY: administrator.apiKey,
  LOG_LEVEL: 'info',
  DRAIN_GRACE_MS: String(GRACE_MS),
  // A busy machine may take its time; a read that does not show the write before it is a fault all the same.
  READ_YOUR_WRITES_TIMEOUT_MS: '20000',
  DATABASE_POOL_SIZE: '4',
});

const endAll = async (ends: (() => Promise<void>)[]): Promise<void> => {
  for (const end of ends.splice(0).toReversed()) await end();
};
