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
import { auditLibraryLog } from '../log/library-log.js';
import { readLog } from '../log/read-log.js';
import { seededRandom } from '../random/seeded-random.js';
import type { RowOptions, RowReport } from '../rows/row.js';
import { until } from '../until.js';

/** Longest time that batches are written before the server is killed, ms. */
const MAX_WRITE_MS = 400;
const EVENTS_PER_BATCH = 200;
const READY_MS = 30_000;
const APPEND_TIMEOUT_MS = 1500;

/**
 * Appends large atomic batches to one NATS server with durable settings and kills it in the middle of them: what was acknowledged must be
 * there, and of every batch all events or none.
 */
export const killBatches = async (options: RowOptions): Promise<RowReport> => {
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
    const writer = new BatchWriter(nats);
    await killWhileWriting(server, nats, { ...options, writer });
    const findings = await writer.check(nats);
    const { seed, rounds: faults } = options;
    const figures = { eventsPerBatch: EVENTS_PER_BATCH, failed: writer.failed };
    const [writes, durationMs] = [writer.acknowledged.length, Date.now() - startedAt];
    return { row: 'kill-batches', seed, durationMs, faults, writes, findings, figures, selfExits: [] };
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
  #aggregate = 0;

  constructor(nats: NatsConnection) {
    this.#store = new JetStreamEventStore(nats, undefined as never, APPEND_TIMEOUT_MS);
  }

  /** Appends one batch, one event for each of as many aggregates. */
  async append(): Promise<void> {
    const parts = Array.from({ length: EVENTS_PER_BATCH }, (): AppendPart => {
      this.#aggregate += 1;
      const event = folderVanished({ folderId: this.#aggregate as FolderId, catalogId: 1 as CatalogId });
      return { context: 'library', aggregate: 'folder', id: this.#aggregate, expectedPosition: 0, events: [event] };
    });
    try {
      const { position } = await this.#store.append(parts, { actor: 'system', correlationId: 'c', causationId: 'c', at: Date.now() });
      this.acknowledged.push(position);
    } catch {
      // The server is gone, as intended; whether the batch was written is what the check finds out.
      this.failed += 1;
    }
  }

  async check(nats: NatsConnection): Promise<Finding[]> {
    const log = await auditLibraryLog(readLog(nats, 'EV_LIBRARY'));
    return [
      equal('events = whole batches', log.events, log.batches * EVENTS_PER_BATCH),
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
  { rounds, seed, say, writer }: RowOptions & { writer: BatchWriter },
): Promise<void> => {
  const random = seededRandom(seed);
  for (let round = 1; round <= rounds; round += 1) {
    const before = writer.acknowledged.length;
    const end = new AbortController();
    const writing = writeUntil(end.signal, writer);
    // However busy the machine is: the kill comes while batches are written.
    await until('a batch is acknowledged', READY_MS, () => Promise.resolve(writer.acknowledged.length > before));
    await delay(random.between(1, MAX_WRITE_MS));
    say?.(`kill -9 nats (${server.pid}), during: ${writer.acknowledged.length} batches acknowledged`);
    await server.kill();
    end.abort();
    await writing;
    await server.revive();
    await until('NATS answers', READY_MS, async () => (await nats.rtt()) >= 0);
  }
};

const writeUntil = async (signal: AbortSignal, writer: BatchWriter): Promise<void> => {
  while (!signal.aborted) await writer.append();
};
