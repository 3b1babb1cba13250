import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NatsCommandClient, startService, type StartedService } from '@continuo/chassis';
import {
  cancelScan,
  startScan,
  type CatalogId,
  type CommandDefinition,
  type ReadModel,
  type ScanId,
  type ScanMode,
  type ScanTable,
} from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { IngestionConfig } from '../src/config.js';
import { ingestionService } from '../src/ingestion.service.js';
import { FakeLibrary } from './fake-library.js';

const context = { actor: 'user:1', correlationId: 'spec', causationId: 'spec' };

interface Servers {
  readonly nats: TestNats;
  readonly postgres: TestPostgres;
  readonly library: FakeLibrary;
  readonly data: string;
}

/** The ingestion service on real servers with a stand-in for the library, for specs. */
export class ScanBench {
  private constructor(
    private readonly servers: Servers,
    private service: StartedService<IngestionConfig>,
  ) {}

  static async start(): Promise<ScanBench> {
    const [nats, postgres, data] = await Promise.all([testNats(), testPostgres(), mkdtemp(join(tmpdir(), 'continuo-ingestion-'))]);
    const servers = { nats, postgres, data, library: await FakeLibrary.start(postgres.url) };
    return new ScanBench(servers, await ScanBench.#serve(servers));
  }

  get library(): FakeLibrary {
    return this.servers.library;
  }

  /** Where the service keeps art. */
  get data(): string {
    return this.servers.data;
  }

  static #serve(
    { nats, postgres, library, data }: Servers,
    settings: Readonly<Record<string, string>> = {},
    deps: Partial<StartedService<IngestionConfig>['deps']> = {},
  ): Promise<StartedService<IngestionConfig>> {
    const env = {
      DATABASE_URL: postgres.url,
      NATS_URL: nats.url,
      CONTINUO_SECRET: 'x'.repeat(32),
      CONTINUO_DATA: data,
      LOG_LEVEL: 'silent',
      DRAIN_TIMEOUT_MS: '3000',
      SCAN_PROGRESS_INTERVAL_MS: '500',
      SCAN_MAX_PICTURE_BYTES: '1000000',
      DELETE_FROM_DISK: 'true',
      ...settings,
      OUTBOUND_ALLOWED_NETWORKS: '127.0.0.1',
    };
    return startService(ingestionService, env, { deps: { commands: library.commands, ...deps } });
  }

  /** Starts a second replica, with settings and parts of its own; the caller stops it. */
  replica(
    settings: Readonly<Record<string, string>> = {},
    deps: Partial<StartedService<IngestionConfig>['deps']> = {},
  ): Promise<StartedService<IngestionConfig>> {
    return ScanBench.#serve(this.servers, settings, deps);
  }

  /** Stops the service and starts it again. */
  async restart(): Promise<void> {
    await this.service.stop();
    this.service = await this.replica();
  }

  get db(): Kysely<ReadModel> {
    return this.service.deps.db;
  }

  get deps(): StartedService<IngestionConfig>['deps'] {
    return this.service.deps;
  }

  /** The service's commands go over NATS, as a gateway would send them. */
  startScan(catalogId: CatalogId, mode: ScanMode = 'changes'): Promise<{ scanId: ScanId; alreadyRunning: boolean }> {
    return this.send(startScan, { catalogId, mode });
  }

  /** Sends any command of the service. */
  async send<S extends z.ZodType, R extends z.ZodType>(command: CommandDefinition<S, R>, data: z.input<S>): Promise<z.output<R>> {
    return (await new NatsCommandClient(this.deps.nats).send(command, data, context, { timeoutMs: 30_000 })).result;
  }

  async cancelScan(scanId: ScanId): Promise<void> {
    await new NatsCommandClient(this.deps.nats).send(cancelScan, { scanId }, context);
  }

  scanRow(scanId: ScanId): Promise<ScanTable | undefined> {
    return this.db.selectFrom('ingestion.scan').selectAll().where('id', '=', scanId).executeTakeFirst();
  }

  /** Waits until a scan has ended. @throws Error when that takes too long */
  async ended(scanId: ScanId, timeoutMs = 60_000): Promise<ScanTable> {
    const until = performance.now() + timeoutMs;
    for (;;) {
      const row = await this.scanRow(scanId);
      if (row && row.state !== 'queued' && row.state !== 'running') return row;
      if (performance.now() > until) throw new Error(`scan ${scanId} has not ended: ${JSON.stringify(row)}`);
      await delay(20);
    }
  }

  /** Scans a catalog to the end. */
  async scan(catalogId: CatalogId, { timeoutMs, mode }: { timeoutMs?: number; mode?: ScanMode } = {}): Promise<ScanTable> {
    return this.ended((await this.startScan(catalogId, mode)).scanId, timeoutMs);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.library.stop();
    await Promise.all([this.servers.nats.stop(), this.servers.postgres.stop()]);
    await rm(this.data, { recursive: true, force: true });
  }
}
