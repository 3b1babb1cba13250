import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectNats, createLogger, ensureEventStreams, JetStreamEventStore, type AppendPart } from '@continuo/chassis';
import { folderVanished, type CatalogId, type FolderId } from '@continuo/contracts';
import { startNats } from '@continuo/local-servers';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { equal, noneOf, type Finding } from '../checks/finding.js';
import { ServerPart } from '../cluster/server-part.js';
import type { Kill } from '../killing/killer.js';
import { auditLibraryLog } from '../log/library-log.js';
import { readLog } from '../log/read-log.js';
import { seededRandom } from '../random/seeded-random.js';
import type { Report } from '../report/report.js';
import { until } from '../until.js';

/** How to run the scenario. */
export interface KillBatches {
  readonly rounds: number;
  /** Events of one atomic batch. */
  readonly eventsPerBatch: number;
  readonly seed: number;
  /** Folder for all data of the run; emptied first. */
  readonly home: string;
  readonly onKill?: ((kill: Kill) => void) | undefined;
}

/** Longest time that batches are written before the server is killed, ms. */
const MAX_WRITE_MS = 400;
const READY_MS = 30_000;
const APPEND_TIMEOUT_MS = 1500;

/**
 * Appends large atomic batches to one NATS server with durable settings and kills it in the middle of them: what was acknowledged must be
 * there, and of every batch all events or none.
 */
export const killBatches = async (options: KillBatches): Promise<Report> => {
  const startedAt = Date.now();
  await rm(options.home, { recursive: true, force: true });
  await mkdir(options.home, { recursive: true });
  const storeDir = join(options.home, 'nats');
  const first = await startNats({ storeDir });
  const server = new ServerPart('nats', () => startNats({ storeDir, port: first.port }), first);
  const { user, password } = first.login ?? { user: '', password: '' };
  const settings = { NATS_URL: `nats://${first.server}`, NATS_USER: user, NATS_PASSWORD: password };
  const nats = await connectNats('failure', settings, createLogger('failure', 'silent'));
  try {
    await ensureEventStreams(await jetstreamManager(nats), ['library'], 1);
    const writer = new BatchWriter(nats, options.eventsPerBatch);
    const kills = await killWhileWriting(server, nats, { ...options, writer, startedAt });
    const findings = await writer.check(nats);
    const figures = { eventsPerBatch: options.eventsPerBatch, acknowledged: writer.acknowledged.length, failed: writer.failed };
    return { scenario: 'kill-batches', seed: options.seed, durationMs: Date.now() - startedAt, kills, findings, figures, selfExits: [] };
  } finally {
    await nats.close();
    await server.stop();
  }
};

class BatchWriter {
  /** Last positions of the batches that were acknowledged. */
  readonly acknowledged: number[] = [];
  failed = 0;
  readonly #store: JetStreamEventStore;
  readonly #size: number;
  #aggregate = 0;

  constructor(nats: NatsConnection, size: number) {
    this.#store = new JetStreamEventStore(nats, undefined as never, APPEND_TIMEOUT_MS);
    this.#size = size;
  }

  /** Appends one batch, one event for each of as many aggregates; answers whether it was acknowledged. */
  async append(): Promise<boolean> {
    const parts = Array.from({ length: this.#size }, (): AppendPart => {
      this.#aggregate += 1;
      const event = folderVanished({ folderId: this.#aggregate as FolderId, catalogId: 1 as CatalogId });
      return { context: 'library', aggregate: 'folder', id: this.#aggregate, expectedPosition: 0, events: [event] };
    });
    try {
      const { position } = await this.#store.append(parts, { actor: 'system', correlationId: 'c', causationId: 'c', at: Date.now() });
      this.acknowledged.push(position);
      return true;
    } catch {
      // The server is gone, as intended; whether the batch was written is what the check finds out.
      this.failed += 1;
      return false;
    }
  }

  async check(nats: NatsConnection): Promise<Finding[]> {
    const log = await auditLibraryLog(readLog(nats, 'EV_LIBRARY'));
    return [
      equal('events = whole batches', log.events, log.batches * this.#size),
      noneOf('batches that are there in part', log.brokenBatches, `none of ${log.batches} batches, ${log.events} events`),
      noneOf(
        'acknowledged and lost',
        this.acknowledged.filter((position) => position > log.events).map(String),
        `none of ${this.acknowledged.length} batches`,
      ),
    ];
  }
}

const killWhileWriting = async (
  server: ServerPart<Awaited<ReturnType<typeof startNats>>>,
  nats: NatsConnection,
  { rounds, seed, onKill, writer, startedAt }: KillBatches & { writer: BatchWriter; startedAt: number },
): Promise<Kill[]> => {
  const random = seededRandom(seed);
  const kills: Kill[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const writing = untilRefused(writer);
    await delay(random.between(1, MAX_WRITE_MS));
    const during = `${writer.acknowledged.length} batches acknowledged`;
    const kill: Kill = { round, victim: 'nats', parts: ['nats'], pids: [server.pid], atMs: Date.now() - startedAt, downMs: 0, during };
    await server.kill();
    onKill?.(kill);
    kills.push(kill);
    await writing;
    await server.revive();
    await until('NATS answers', READY_MS, async () => (await nats.rtt()) >= 0);
  }
  return kills;
};

const untilRefused = async (writer: BatchWriter): Promise<void> => {
  while (await writer.append());
};
