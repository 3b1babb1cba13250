import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type Environment, type ServiceDefinition, type StartedService } from '@continuo/chassis';
import { ingestionService } from '@continuo/ingestion';
import { libraryService } from '@continuo/library';
import { testNats, type TestDatabase, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { playbackService } from '@continuo/playback';
import { socialService } from '@continuo/social';
import { sonicService } from '@continuo/sonic';
import { transcodingService } from '@continuo/transcoding';
import { runCli, type CliRun } from '../testkit.js';

const definitions = [
  libraryService,
  socialService,
  ingestionService,
  playbackService,
  transcodingService,
  sonicService,
] as readonly unknown[];

/** The secret of every server in these specs. */
export const SPEC_SECRET = 'x'.repeat(32);

/** A server behind the gateway, without one, over servers and folders of its own. */
export class SpecServer {
  readonly #services: StartedService[] = [];

  private constructor(
    readonly nats: TestNats,
    readonly database: TestDatabase,
    readonly data: string,
  ) {}

  static async make(postgres: TestPostgres): Promise<SpecServer> {
    const data = await realpath(await mkdtemp(join(tmpdir(), 'continuo-backup-')));
    await mkdir(join(data, 'music'));
    return new SpecServer(await testNats(), await postgres.createDatabase(), data);
  }

  /** What the command line is run with. */
  get env(): Environment {
    return { DATABASE_URL: this.database.url, NATS_URL: this.nats.url, CONTINUO_SECRET: SPEC_SECRET, CONTINUO_DATA: this.data };
  }

  async start(): Promise<readonly StartedService[]> {
    const settings = { ...this.env, CONTINUO_ADMIN_PASSWORD: 'a password of a spec', LOG_LEVEL: 'silent', DATABASE_POOL_SIZE: '3' };
    for (const definition of definitions) this.#services.push(await startService(definition as ServiceDefinition, settings));
    return this.#services;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#services.splice(0).map((service) => service.stop()));
  }

  run(...args: string[]): Promise<CliRun> {
    return runCli(this.env, ...args);
  }

  /** Stops everything and deletes it. */
  async end(): Promise<void> {
    await this.stop();
    await Promise.all([this.nats.stop(), rm(this.data, { recursive: true, force: true })]);
  }
}
