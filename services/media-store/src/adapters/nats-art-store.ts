import { Readable } from 'node:stream';
import { isEventStoreUnavailable, isNotFound } from '@continuo/chassis';
import { Rejection } from '@continuo/contracts';
import { jetstream, jetstreamManager, type DirectBatchOptions, type JetStreamManager, type StoredMsg } from '@nats-io/jetstream';
import { Kvm, type KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import type { ArtStore, StoredArt } from '../media-store.js';
import { artNotFound, hashOf, isArtHash, requireArtHash } from './art-hash.js';

const BUCKET = 'art';
const STREAM = `KV_${BUCKET}`;
const SUBJECTS = `$KV.${BUCKET}.`;
/** Half of the smallest `max_payload` that NATS servers commonly have, bytes. */
const PART_BYTES = 512 * 1024;
/** Pictures that one request of a list answers. */
const LISTED_AT_ONCE = 1000;

/**
 * Images in a JetStream bucket: `<hash>.<number>` holds a part of the bytes, `<hash>` the size in bytes. The size is written last, so that readers never see half an image.
 * The parts of an image are always the same, so that services that store it at the same time do not disturb each other.
 */
export class NatsArtStore implements ArtStore {
  private constructor(
    private readonly bucket: KV,
    private readonly manager: JetStreamManager,
  ) {}

  /**
   * Opens the bucket, and makes it where it is missing.
   * @param nats stays open when the store is closed
   * @param replicas copies of the bucket
   */
  static async open(nats: NatsConnection, replicas: number): Promise<NatsArtStore> {
    const client = jetstream(nats);
    const bucket = await new Kvm(client).create(BUCKET, {
      history: 1,
      replicas,
      storage: 'file',
      description: 'Covers and other pictures',
    });
    return new NatsArtStore(bucket, await jetstreamManager(nats));
  }

  async put(bytes: Uint8Array): Promise<string> {
    const hash = hashOf(bytes);
    if (sizeIn(await this.#get(hash)) === bytes.length) return hash;
    await answered(async () => {
      for (let part = 0; part * PART_BYTES < bytes.length; part += 1)
        await this.bucket.put(`${hash}.${part}`, bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES));
      await this.bucket.put(hash, String(bytes.length));
    });
    return hash;
  }

  async stat(hash: string): Promise<Pick<StoredArt, 'sizeBytes'>> {
    const sizeBytes = sizeIn(await this.#get(requireArtHash(hash)));
    if (sizeBytes === undefined) throw artNotFound();
    return { sizeBytes };
  }

  async open(hash: string): Promise<Readable> {
    const { sizeBytes } = await this.stat(hash);
    return Readable.from(this.#parts(hash, sizeBytes), { objectMode: false });
  }

  async *list(): AsyncGenerator<StoredArt> {
    for (let seq = 1; ;) {
      const before = seq;
      const query = { seq, next_by_subj: `${SUBJECTS}*`, batch: LISTED_AT_ONCE };
      for (const message of await answered(() => this.#page(query))) {
        seq = message.seq + 1;
        const hash = message.subject.slice(SUBJECTS.length);
        const sizeBytes = sizeIn(message);
        if (isArtHash(hash) && sizeBytes !== undefined) yield { hash, sizeBytes };
      }
      if (seq === before) return;
    }
  }

  async check(): Promise<string> {
    const { streamInfo, replicas } = await this.bucket.status();
    await this.bucket.put('probe', '');
    return `in the bucket "${BUCKET}" of NATS, ${Math.ceil(streamInfo.state.bytes / 1024 ** 2)} MB, ${replicas === 1 ? 'one copy' : `${replicas} copies`}`;
  }

  async close(): Promise<void> {
    // The connection belongs to whoever opened it.
  }

  async #page(query: DirectBatchOptions): Promise<StoredMsg[]> {
    const messages: StoredMsg[] = [];
    try {
      for await (const message of await this.manager.direct.getBatch(STREAM, query)) messages.push(message);
    } catch (error) {
      // NATS calls the end of the list so.
      if (!isNotFound(error)) throw error;
    }
    return messages;
  }

  async *#parts(hash: string, sizeBytes: number): AsyncGenerator<Uint8Array> {
    for (let part = 0; part * PART_BYTES < sizeBytes; part += 1) {
      const message = await this.#get(`${hash}.${part}`);
      if (!message) throw artNotFound(new Error(`part ${part} is missing in the bucket`));
      yield message.data;
    }
  }

  /** Whichever replica is near answers; one that does not have it may be behind the leader. */
  #get(key: string): Promise<StoredMsg | null> {
    const query = { last_by_subj: SUBJECTS + key };
    return answered(async () => (await this.manager.direct.getMessage(STREAM, query)) ?? this.manager.streams.getMessage(STREAM, query));
  }
}

/** Size that a message tells; undefined for none, and for the marker of a key that somebody deleted. */
const sizeIn = (message: StoredMsg | null): number | undefined => Number(message?.string() ?? '') || undefined;

/** @throws Rejection `unavailable` when NATS does not answer, or has no room */
const answered = async <T>(ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask();
  } catch (cause) {
    throw isEventStoreUnavailable(cause) ? new Rejection('unavailable', 'NATS does not answer for pictures', undefined, { cause }) : cause;
  }
};
