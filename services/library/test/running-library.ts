import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rebuildSubject, startService, type CommandOutcome, type ServiceDependencies, type StartedService } from '@continuo/chassis';
import { addCatalog, recordFolder, type CatalogId, type CommandDefinition, type LogPosition } from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { sql, type RawBuilder } from 'kysely';
import type { z } from 'zod';
import type { LibraryConfig } from '../src/config.js';
import { libraryService } from '../src/library.service.js';

/** Waits until a condition holds; what it throws counts as "not yet". @throws Error after forty seconds. */
export const until = async (condition: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 1600; tries += 1) {
    if (await condition().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('the condition did not become true in time');
};

/** The library service over real servers, with one empty catalog. For tests. */
export class RunningLibrary {
  #service: StartedService<LibraryConfig>;
  readonly #others: StartedService<LibraryConfig>[] = [];

  private constructor(
    private readonly servers: { readonly nats: TestNats; readonly postgres: TestPostgres; readonly databaseUrl: string },
    /** The catalog's folder, an empty one. */
    readonly root: string,
    service: StartedService<LibraryConfig>,
  ) {
    this.#service = service;
  }

  /** The catalog that `record` writes into. */
  catalogId = 0 as CatalogId;

  /** Starts a library over servers of its own; `settings` are further environment variables. */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<RunningLibrary> {
    const [nats, postgres] = [await testNats(), await testPostgres()];
    const root = await realpath(await mkdtemp(join(tmpdir(), 'continuo-library-')));
    const servers = { nats, postgres, databaseUrl: (await postgres.createDatabase()).url };
    const running = new RunningLibrary(
      servers,
      root,
      await startService(libraryService, environment(servers.databaseUrl, servers.nats.url, root, settings)),
    );
    running.catalogId = (await running.send(addCatalog, { name: 'music', path: root })).result.catalogId;
    return running;
  }

  /** Starts one more replica over the same servers; commands then go to whichever takes them. Before a loss of Postgres only. */
  async addReplica(): Promise<void> {
    this.#others.push(await startService(libraryService, environment(this.servers.databaseUrl, this.servers.nats.url, this.root)));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#others.map((other) => other.stop()));
    await this.#service.stop();
    await this.servers.nats.stop();
    await this.servers.postgres.stop();
    await rm(this.root, { recursive: true, force: true });
  }

  /** Starts again over the same log and an empty database. */
  async losePostgres(): Promise<void> {
    await Promise.all(this.#others.splice(0).map((other) => other.stop()));
    await this.#service.stop();
    const empty = await this.servers.postgres.createDatabase();
    this.#service = await startService(libraryService, environment(empty.url, this.servers.nats.url, this.root));
  }

  get deps(): ServiceDependencies<LibraryConfig> {
    return this.#service.deps;
  }

  /** Position of the last event of the library's log. */
  readonly logEnd = (): Promise<number> => this.deps.eventStore.lastPosition('library');
  readonly rows = async <T>(query: RawBuilder<T>): Promise<T[]> => (await query.execute(this.deps.db)).rows;

  /** Waits until the tables show what the log says up to these positions. */
  readonly projected = (positions: readonly LogPosition[]): Promise<void> =>
    until(async () => {
      const [row] = await this.rows(
        sql<{
          position: number;
        }>`select min(position) as position from chassis.projection_checkpoint where name like 'library-%' and state = 'live'`,
      );
      return positions.every(({ position }) => (row?.position ?? 0) >= position);
    });

  /** Sends a command and waits until what it did can be read. */
  readonly send = async <S extends z.ZodType, R extends z.ZodType>(
    command: CommandDefinition<S, R>,
    data: z.input<S>,
  ): Promise<CommandOutcome<z.output<R>>> => {
    const context = { actor: 'system', correlationId: randomUUID(), causationId: 'spec' };
    const outcome = await this.deps.commands.send(command, data, context, { timeoutMs: 20_000 });
    await this.projected(outcome.positions);
    return outcome;
  };

  /** Records what a scan would find in a folder of the catalog. */
  readonly record = (path: string, parts: Partial<z.input<typeof recordFolder.schema>>) =>
    this.send(recordFolder, { catalogId: this.catalogId, path, tracks: [], ...parts });

  /** Names of the tables that differ from those of a rebuild. */
  readonly verifyRebuild = async (projection = 'library-catalogue'): Promise<string[]> => {
    const request = JSON.stringify({ mode: 'verify' });
    const answer = await this.deps.nats.request(rebuildSubject(projection), request, { timeout: 30_000 });
    return answer.json<{ report: { differing: string[] } }>().report.differing;
  };
}

const environment = (databaseUrl: string, natsUrl: string, root: string, settings: Readonly<Record<string, string>> = {}) => ({
  DATABASE_URL: databaseUrl,
  NATS_URL: natsUrl,
  CONTINUO_SECRET: 'a secret of at least thirty-two characters',
  CONTINUO_DATA: join(root, '.data'),
  LOG_LEVEL: 'silent',
  HEALTH_PORT: '0',
  ...settings,
});
