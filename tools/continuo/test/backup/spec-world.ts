import { mkdtemp, realpath, rm } from 'node:fs/promises';
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
import { runCli, startGateway, type CliRun, type SpecGateway } from '../index.js';

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

/** A whole server over servers and folders of its own. */
export class SpecServer {
  readonly #services: StartedService[] = [];
  #gateway: SpecGateway | undefined;
  #settings: Environment = {};

  private constructor(
    readonly nats: TestNats,
    readonly database: TestDatabase,
    readonly data: string,
    /** Folder for a catalog; none may lie in the data folder. */
    readonly music: string,
  ) {}

  /** @param settings further ones of its services and of the command line */
  static async make(postgres: TestPostgres, settings: Environment = {}): Promise<SpecServer> {
    const data = await realpath(await mkdtemp(join(tmpdir(), 'continuo-backup-')));
    const music = await realpath(await mkdtemp(join(tmpdir(), 'continuo-backup-music-')));
    const made = new SpecServer(await testNats(), await postgres.createDatabase(), data, music);
    made.#settings = settings;
    return made;
  }

  /** Environment of the command line. */
  get env(): Environment {
    const servers = { DATABASE_URL: this.database.url, NATS_URL: this.nats.url };
    return { ...servers, CONTINUO_SECRET: SPEC_SECRET, CONTINUO_DATA: this.data, ...this.#settings, ...this.#gateway?.env };
  }

  async start(): Promise<readonly StartedService[]> {
    const settings = {
      ...this.env,
      CONTINUO_SECRET: SPEC_SECRET,
      CONTINUO_ADMIN_PASSWORD: 'a password of a spec',
      BACKUP_FOLDER: join(this.data, 'backups'),
      LOG_LEVEL: 'silent',
      DATABASE_POOL_SIZE: '3',
    };
    for (const definition of definitions) this.#services.push(await startService(definition as ServiceDefinition, settings));
    this.#gateway = await startGateway(settings);
    return this.#services;
  }

  async stop(): Promise<void> {
    await this.#gateway?.stop();
    this.#gateway = undefined;
    await Promise.all(this.#services.splice(0).map((service) => service.stop()));
  }

  run(...args: string[]): Promise<CliRun> {
    return runCli(this.env, ...args);
  }

  /** Stops everything and deletes it. */
  async end(): Promise<void> {
    await this.stop();
    await Promise.all([
      this.nats.stop(),
      rm(this.data, { recursive: true, force: true }),
      rm(this.music, { recursive: true, force: true }),
    ]);
  }
}
