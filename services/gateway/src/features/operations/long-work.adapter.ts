import { randomBytes } from 'node:crypto';
import type { CommandClient } from '@continuo/chassis';
import { recordOperation, Rejection } from '@continuo/contracts';
import { jetstream } from '@nats-io/jetstream';
import { Kvm, type KV } from '@nats-io/kv';
import type { BucketStoreOptions } from '../../auth/sessions/watched-bucket.js';
import { asOf, type LongWork, type Work, type WorkOrder, type WorkProgress, type WorkRecord } from './long-work.js';

/** Dependencies of {@link jetStreamLongWork}. */
export interface LongWorkOptions extends BucketStoreOptions {
  /** Puts start and end into the log. */
  readonly commands: CommandClient;
}

const BUCKET = 'manage_work';
const KEPT_MS = 30 * 24 * 3_600_000;
const ALIVE_EVERY_MS = 2000;
const TIME_DIGITS = 9;

/** Ids in the order in which work began. */
const newId = (nowMs: number): string => `${nowMs.toString(36).padStart(TIME_DIGITS, '0')}-${randomBytes(6).toString('hex')}`;

/** Puts on record how work ended. What is on record already is not recorded again. */
const recordEnd = async ({ commands }: Pick<LongWorkOptions, 'commands'>, { kind, id: workId, state, problem, context }: WorkRecord) => {
  if (context === undefined) return;
  const end =
    state === 'failed' ? ({ type: 'fail', kind, workId, problem: problem ?? '' } as const) : ({ type: 'finish', kind, workId } as const);
  await commands.send(recordOperation, end, context);
};

/** True for work that is over and of whose end the log tells nothing yet. */
const isUnsettled = ({ state, isEndRecorded, context }: WorkRecord): boolean =>
  state !== 'running' && !isEndRecorded && context !== undefined;

/** Records of long work in their bucket. */
class WorkRecords {
  readonly #kv: KV;
  readonly #options: LongWorkOptions;

  constructor(kv: KV, options: LongWorkOptions) {
    this.#kv = kv;
    this.#options = options;
  }

  async read(key: string): Promise<WorkRecord | undefined> {
    const entry = await this.#kv.get(key);
    return entry?.operation === 'PUT' ? asOf(entry.json<WorkRecord>(), this.#options.now()) : undefined;
  }

  async put(record: WorkRecord): Promise<void> {
    await this.#kv.put(`${record.kind}.${record.id}`, JSON.stringify(record));
  }

  async keys(filter: string): Promise<string[]> {
    const found: string[] = [];
    for await (const key of await this.#kv.keys(filter)) found.push(key);
    return found;
  }

  /** Puts on record the ends that no gateway could: of work whose gateway has stopped, or that ended while the log was away. */
  async settle(): Promise<void> {
    const { log } = this.#options;
    try {
      for (const key of await this.keys('>')) {
        const record = await this.read(key);
        if (record === undefined || !isUnsettled(record)) continue;
        await recordEnd(this.#options, record);
        await this.put({ ...record, isEndRecorded: true });
      }
    } catch (err) {
      log.warn({ err }, 'failed to put on record how long work ended; the next look at it tries again');
    }
  }
}

/** The records that somebody looks at; ends among them that are not on record will be soon. */
const settled = (records: WorkRecords, found: WorkRecord[]): WorkRecord[] => {
  if (found.some(isUnsettled)) void records.settle();
  return found;
};

/**
 * Keeps long work in the JetStream bucket `manage_work`, for thirty days, and its start and end in the log. The bucket is made by the first request that needs
 * it; no timer runs while nothing does.
 */
export const jetStreamLongWork = (options: LongWorkOptions): LongWork => {
  const { nats, replicas } = options;
  let opening: Promise<WorkRecords> | undefined;
  const open = async (): Promise<WorkRecords> => {
    const kv = await new Kvm(jetstream(nats)).create(BUCKET, {
      history: 1,
      storage: 'file',
      description: 'Long work that operators have started',
      replicas,
      ttl: KEPT_MS,
      // Its own writes are read at once.
      allow_direct: false,
    });
    return new WorkRecords(kv, options);
  };
  const opened = (): Promise<WorkRecords> => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const list: LongWork['list'] = async (kind, { before, limit }) => {
    const records = await opened();
    const ids = (await records.keys(`${kind}.*`)).map((key) => key.slice(kind.length + 1)).toSorted();
    const wanted = ids.toReversed().filter((id) => before === undefined || id < before);
    const found = await Promise.all(wanted.slice(0, limit).map((id) => records.read(`${kind}.${id}`)));
    return settled(
      records,
      found.filter((record) => record !== undefined),
    );
  };
  return {
    start: async (order, work) => {
      const records = await opened();
      const running = (await list(order.kind, { limit: 20 })).find(
        ({ state, subject }) => state === 'running' && subject === order.subject,
      );
      if (running) throw new Rejection('conflict', `${order.subject} is being worked on already, see ${running.id}`);
      return new RunningWork(records, options, order).begin(work);
    },
    find: async (kind, id) => {
      const records = await opened();
      const found = await records.read(`${kind}.${id}`);
      return found && settled(records, [found])[0];
    },
    list,
  };
};

/** One piece of work under way in this process. */
class RunningWork {
  readonly #records: WorkRecords;
  readonly #options: LongWorkOptions;
  #record: WorkRecord & Pick<WorkOrder, 'context'>;
  #saved: Promise<unknown> = Promise.resolve();

  constructor(records: WorkRecords, options: LongWorkOptions, order: WorkOrder) {
    this.#records = records;
    this.#options = options;
    const startedAtMs = options.now();
    const open = { progress: null, endedAtMs: null, problem: null, result: null, isEndRecorded: false };
    this.#record = { id: newId(startedAtMs), ...order, ...open, state: 'running', startedAtMs, aliveAtMs: startedAtMs };
  }

  async begin(work: Work): Promise<WorkRecord> {
    const begun = this.#record;
    const { kind, id: workId, subject, context } = begun;
    await this.#options.commands.send(recordOperation, { type: 'start', kind, workId, subject }, context);
    await this.#records.put(begun);
    void this.#run(work);
    return begun;
  }

  async #run(work: Work): Promise<void> {
    const { log } = this.#options;
    const alive = setInterval(() => this.#save({}), ALIVE_EVERY_MS);
    alive.unref();
    const tell = (progress: WorkProgress): void => {
      this.#record = { ...this.#record, progress };
    };
    try {
      const result = await work(tell, this.#record.id);
      this.#save({ state: 'done', result });
    } catch (error) {
      log.warn({ err: error, kind: this.#record.kind, subject: this.#record.subject }, 'long work of an operator has failed');
      this.#save({ state: 'failed', problem: error instanceof Error ? error.message : String(error) });
    } finally {
      clearInterval(alive);
    }
    await this.#recordEnd();
  }

  async #recordEnd(): Promise<void> {
    const { log } = this.#options;
    try {
      await this.#saved;
      await recordEnd(this.#options, this.#record);
      this.#save({ isEndRecorded: true });
    } catch (err) {
      log.warn({ err }, 'failed to put on record how long work ended; the next look at it tries again');
    }
  }

  /** Writes one after the other, the end last. */
  #save(change: Partial<WorkRecord>): void {
    const aliveAtMs = this.#options.now();
    this.#record = { ...this.#record, ...change, aliveAtMs, ...(change.state ? { endedAtMs: aliveAtMs } : {}) };
    const record = this.#record;
    this.#saved = this.#saved
      .then(() => this.#records.put(record))
      .catch((err: unknown) => this.#options.log.warn({ err }, 'failed to write down how far long work is'));
  }
}
