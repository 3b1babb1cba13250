import { isRevisionConflict } from '@continuo/chassis';
import type { RelayService } from '@continuo/contracts';
import { jetstream } from '@nats-io/jetstream';
import { Kvm, type KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';

/** Position of a link in the log of plays, and the number of its write. */
export interface RelayCursor {
  readonly position: number;
  /** Of the bucket; 0 before the first write. */
  readonly revision: number;
}

/** A link, as far as its cursor minds. */
export interface CursorOf {
  readonly user_id: number;
  readonly service: RelayService;
  readonly run: number;
  readonly after_position: number;
}

/** Thrown when another replica has moved the cursor meanwhile. */
export class CursorMoved extends Error {
  override readonly name = 'CursorMoved';
  constructor(options?: ErrorOptions) {
    super('another replica works on this link', options);
  }
}

/** Remembers, beside the log and as durably as it, up to where plays are settled: taken, given up or not wanted. */
export interface RelayCursors {
  load(link: CursorOf): Promise<RelayCursor>;
  /** @throws CursorMoved when it is not where it was loaded */
  move(link: CursorOf, from: RelayCursor, position: number): Promise<RelayCursor>;
  forget(userId: number, service: RelayService): Promise<void>;
}

const BUCKET = 'relay_cursors';

const keyOf = (userId: number, service: RelayService): string => `${service}.${userId}`;

class JetStreamRelayCursors implements RelayCursors {
  #bucket: Promise<KV> | undefined;

  constructor(private readonly options: { readonly nats: NatsConnection; readonly replicas: number }) {}

  async load({ user_id, service, run, after_position }: CursorOf): Promise<RelayCursor> {
    const bucket = await this.#open();
    const entry = await bucket.get(keyOf(user_id, service));
    if (!entry) return { position: after_position, revision: 0 };
    const known = entry.operation === 'PUT' ? entry.json<{ run: number; position: number }>() : undefined;
    const position = known?.run === run ? Math.max(known.position, after_position) : after_position;
    return { position, revision: entry.revision };
  }

  async move({ user_id, service, run }: CursorOf, { revision }: RelayCursor, position: number): Promise<RelayCursor> {
    const bucket = await this.#open();
    try {
      const written = await bucket.put(keyOf(user_id, service), JSON.stringify({ run, position }), { previousSeq: revision });
      return { position, revision: written };
    } catch (cause) {
      if (isRevisionConflict(cause)) throw new CursorMoved({ cause });
      throw cause;
    }
  }

  async forget(userId: number, service: RelayService): Promise<void> {
    const bucket = await this.#open();
    await bucket.purge(keyOf(userId, service));
  }

  #open(): Promise<KV> {
    const { nats, replicas } = this.options;
    this.#bucket ??= new Kvm(jetstream(nats))
      .create(BUCKET, { history: 1, replicas, storage: 'file', description: 'How far each link with a service elsewhere is' })
      .catch((error: unknown) => {
        this.#bucket = undefined;
        throw error;
      });
    return this.#bucket;
  }
}

/** Cursors in the JetStream bucket `relay_cursors`; the first use makes it when it is missing. */
export const jetStreamRelayCursors = (options: { readonly nats: NatsConnection; readonly replicas: number }): RelayCursors =>
  new JetStreamRelayCursors(options);
