import { jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { Kvm, type KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import type { UserId } from '@continuo/contracts';
import { randomBytes } from 'node:crypto';
import { winnerOf } from '../event-store/revision-conflict.js';
import { keySealer, openSealed, secretSealer } from './sealer.adapter.js';
import type { Sealer } from './sealer.js';
import { keyRingOf, type KeyRing, type ServerSecret } from './key-ring.js';
import type { UserKey, UserKeys } from './user-keys.js';

const BUCKET = 'pii_keys';
const KEY_BYTES = 32;
const PURPOSE = 'pii-keys/v1';

/** Options of the key bucket. */
export interface UserKeysOptions {
  readonly nats: NatsConnection;
  /** The server's secret; the keys are wrapped under a key derived from it. */
  readonly secret: ServerSecret;
  /** Copies of the bucket's stream. */
  readonly replicas: number;
}

/** Keeps the users' keys in the JetStream bucket `pii_keys`; the first use creates the bucket when it is missing. */
export const jetStreamUserKeys = (options: UserKeysOptions): UserKeys =>
  new JetStreamUserKeys(options, secretSealer(options.secret, PURPOSE));

/** Number of account keys, by the secret they are wrapped under. */
export interface KeysBySecret {
  /** As in the ring: the current secret first. */
  readonly counts: readonly number[];
  /** Wrapped under none of them; what was sealed under these keys cannot be read. */
  readonly locked: number;
}

const wrappedUnder = (ring: KeyRing, wrapped: string): number =>
  ring.all.findIndex((secret) => Boolean(openSealed(secretSealer(secret, PURPOSE), wrapped)));

/**
 * Looks at every key of an account, and with `rewrap` wraps those anew that are not under the current secret. Safe beside running services, and when it is done again.
 * @throws Error when somebody else changes a key in the same moment; done again, it goes on
 */
export const eachUserKey = async (
  { nats, secret, replicas }: UserKeysOptions,
  { rewrap }: { readonly rewrap: boolean },
): Promise<KeysBySecret> => {
  const ring = keyRingOf(secret);
  const wrapper = secretSealer(ring, PURPOSE);
  const { bucket } = await openBucket({ nats, secret, replicas });
  const counts = ring.all.map(() => 0);
  let locked = 0;
  for await (const name of await bucket.keys()) {
    const entry = await bucket.get(name);
    if (entry?.operation !== 'PUT') continue;
    const found = wrappedUnder(ring, entry.string());
    if (found > 0 && rewrap) await bucket.update(name, wrapper.seal(wrapper.open(entry.string())), entry.revision);
    const under = rewrap ? Math.min(found, 0) : found;
    if (under < 0) locked += 1;
    else counts[under] = (counts[under] ?? 0) + 1;
  }
  return { counts, locked };
};

interface Opened {
  readonly bucket: KV;
  readonly manager: JetStreamManager;
}

const openBucket = async ({ nats, replicas }: UserKeysOptions): Promise<Opened> => {
  const bucket = await new Kvm(jetstream(nats)).create(BUCKET, {
    history: 1,
    replicas,
    storage: 'file',
    description: 'Keys of the personal data in the identity log',
  });
  return { bucket, manager: await jetstreamManager(nats) };
};

const sealerOf = (key: string): Sealer => keySealer(Buffer.from(key, 'base64url'));

class JetStreamUserKeys implements UserKeys {
  private opened: Promise<Opened> | undefined;

  constructor(
    private readonly options: UserKeysOptions,
    private readonly wrapper: Sealer,
  ) {}

  async sealerFor(userId: UserId): Promise<Sealer> {
    const wrapped = (await this.read(userId)) ?? (await this.make(userId));
    return sealerOf(this.wrapper.open(wrapped));
  }

  async find(userId: UserId): Promise<UserKey> {
    const wrapped = await this.read(userId);
    if (wrapped === undefined) return { state: 'absent' };
    const key = openSealed(this.wrapper, wrapped);
    return key === undefined ? { state: 'locked' } : { state: 'present', sealer: sealerOf(key) };
  }

  async destroy(userId: UserId): Promise<void> {
    const { bucket, manager } = await this.open();
    const entry = await bucket.get(String(userId));
    if (!entry || entry.operation !== 'PUT') return;
    // Erasing overwrites the bytes on the disk; the purge then leaves a marker where the key was.
    try {
      await manager.streams.deleteMessage(`KV_${BUCKET}`, entry.revision, true);
    } catch (error) {
      // Somebody else may have erased it in the same moment.
      if ((await bucket.get(String(userId)))?.revision === entry.revision) throw error;
    }
    await bucket.purge(String(userId));
  }

  private async read(userId: UserId): Promise<string | undefined> {
    const { bucket } = await this.open();
    const entry = await bucket.get(String(userId));
    return entry?.operation === 'PUT' ? entry.string() : undefined;
  }

  private async make(userId: UserId): Promise<string> {
    const { bucket } = await this.open();
    const wrapped = this.wrapper.seal(randomBytes(KEY_BYTES).toString('base64url'));
    try {
      await bucket.create(String(userId), wrapped);
      return wrapped;
    } catch (error) {
      // Another replica may have made it in the same moment; then that one counts.
      return winnerOf(error, () => this.read(userId));
    }
  }

  private open(): Promise<Opened> {
    this.opened ??= openBucket(this.options).catch((error: unknown) => {
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }
}
