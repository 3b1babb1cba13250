import { jetstream, JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import { Kvm, type KV, type KvEntry } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { z } from 'zod';
import { winnerOf } from '../event-store/revision-conflict.js';
import { keyedDigest } from './digest.js';
import { openSealed, secretSealer } from './sealer.adapter.js';
import type { KeyRing } from './key-ring.js';

const BUCKET = 'server_secrets';
const KEY = 'ring';
const KEYS_OF_ACCOUNTS = 'pii_keys';
const MARK_DIGITS = 12;
/** Addresses, forms and lists that were signed before a change of the secret go on working so long: what clients keep for longest is good for two days. */
const SIGNATURES_HOLD_MS = 48 * 3_600_000;

const member = z.object({
  secret: z.string().min(1),
  /** Time at which it became the current one. */
  sinceMs: z.int().nonnegative(),
  /** Until when what it signed holds; absent for the current one. */
  signsUntilMs: z.int().nonnegative().optional(),
});
/** One secret that the server has had. */
export type KeyRingMember = Readonly<z.infer<typeof member>>;

/** Content of the bucket: the members, the current one first, sealed under the secret of the settings. */
const kept = z.object({ version: z.literal(1), sealedUnder: z.string(), sealed: z.string() });
const members = z.array(member).min(1);

/** A short fingerprint that distinguishes secrets; the secret cannot be derived from it. */
export const secretFingerprint = (secret: string): string => keyedDigest(secret, 'secret-mark/v1')('continuo').slice(0, MARK_DIGITS);

/** Thrown when the key ring cannot be opened with the secrets in the settings. The message tells the operator what to do. */
export class KeyRingLocked extends Error {
  override readonly name = 'KeyRingLocked';
}

/** Secrets in the settings. */
export interface KeyRingSettings {
  readonly CONTINUO_SECRET: string;
  readonly CONTINUO_SECRET_PREVIOUS?: string | undefined;
  readonly CONTINUO_SECRET_LOST?: boolean | undefined;
}

/** The ring as it lies in the bucket. */
export interface StoredKeyRing {
  readonly members: readonly KeyRingMember[];
  /** Secret that the bucket's entry is sealed under, as {@link secretFingerprint}. */
  readonly sealedUnder: string;
  readonly revision: number;
}

const REMEDY =
  'Set that secret again; or name it in CONTINUO_SECRET_PREVIOUS beside a new CONTINUO_SECRET, start, and run "continuo secrets rotate". If it is lost, docs/operate/recover.md says what can be had back.';

const wrapper = (secret: string) => secretSealer(secret, 'secret-ring/v1');

const bucketOf = (nats: NatsConnection, replicas: number): Promise<KV> =>
  new Kvm(jetstream(nats)).create(BUCKET, {
    history: 1,
    replicas,
    storage: 'file',
    description: 'Secrets that the server has had, sealed',
  });

const textOf = (list: readonly KeyRingMember[], secret: string): string =>
  JSON.stringify({ version: 1, sealedUnder: secretFingerprint(secret), sealed: wrapper(secret).seal(JSON.stringify(list)) });

const settled = ({ CONTINUO_SECRET, CONTINUO_SECRET_PREVIOUS }: KeyRingSettings): readonly string[] =>
  CONTINUO_SECRET_PREVIOUS === undefined ? [CONTINUO_SECRET] : [CONTINUO_SECRET, CONTINUO_SECRET_PREVIOUS];

const opened = (entry: KvEntry, secrets: readonly string[]): StoredKeyRing => {
  const { sealedUnder, sealed } = kept.parse(entry.json());
  for (const secret of secrets) {
    const list = openSealed(wrapper(secret), sealed);
    if (list !== undefined) return { members: members.parse(JSON.parse(list)), sealedUnder, revision: entry.revision };
  }
  throw new KeyRingLocked(
    `CONTINUO_SECRET is not the secret of this server's data: that one has the mark ${sealedUnder}, the settings have ${secrets.map(secretFingerprint).join(' and ')}. ${REMEDY}`,
  );
};

const opensAny = (secrets: readonly string[], purpose: string, sealed: string): boolean =>
  secrets.some((secret) => Boolean(openSealed(secretSealer(secret, purpose), sealed)));

/** Data of a server that had no ring yet say by the keys of accounts under which secret they were made. */
const refuseForeignKeys = async (nats: NatsConnection, secrets: readonly string[]): Promise<void> => {
  const manager = await jetstreamManager(nats);
  const newest = { last_by_subj: `$KV.${KEYS_OF_ACCOUNTS}.*` };
  const key = await manager.streams.getMessage(`KV_${KEYS_OF_ACCOUNTS}`, newest).catch((error: unknown) => {
    // No such stream, or nothing in it: a server without accounts.
    if (error instanceof JetStreamApiError) return null;
    throw error;
  });
  const wrapped = key?.string() ?? '';
  if (wrapped === '' || opensAny(secrets, 'pii-keys/v1', wrapped)) return;
  throw new KeyRingLocked(`CONTINUO_SECRET is not the secret that the accounts of this server were made under. ${REMEDY}`);
};

const begin = async (bucket: KV, secret: string): Promise<void> => {
  await bucket.create(KEY, textOf([{ secret, sinceMs: Date.now() }], secret)).catch(async (error: unknown) => {
    // Another service may have made it in the same moment.
    await winnerOf(error, async () => (await bucket.get(KEY)) ?? undefined);
  });
};

/** The ring that is there; undefined for none, and for one that is locked while the operator says that its secret is lost. */
const present = async (bucket: KV, settings: KeyRingSettings): Promise<StoredKeyRing | undefined> => {
  const entry = await bucket.get(KEY);
  if (entry?.operation !== 'PUT') return undefined;
  try {
    return opened(entry, settled(settings));
  } catch (error) {
    if (!(error instanceof KeyRingLocked && settings.CONTINUO_SECRET_LOST)) throw error;
    const isOurs = await bucket.delete(KEY, { previousSeq: entry.revision }).then(
      () => true,
      // Another service of the same start was first.
      async (conflict: unknown) => {
        if ((await bucket.get(KEY))?.revision === entry.revision) throw conflict;
        return false;
      },
    );
    return isOurs ? undefined : present(bucket, settings);
  }
};

const found = async (nats: NatsConnection, bucket: KV, settings: KeyRingSettings): Promise<StoredKeyRing> => {
  const ring = await present(bucket, settings);
  if (ring) return ring;
  if (!settings.CONTINUO_SECRET_LOST) await refuseForeignKeys(nats, settled(settings));
  // Data that were there before the ring was have the older of the two.
  await begin(bucket, settings.CONTINUO_SECRET_PREVIOUS ?? settings.CONTINUO_SECRET);
  const made = await bucket.get(KEY);
  if (!made) throw new Error('the key ring has vanished while it was made');
  return opened(made, settled(settings));
};

/** Location of the key ring, and the settings that open it. */
export interface KeyRingLocation {
  readonly nats: NatsConnection;
  readonly settings: KeyRingSettings;
  /** Copies of the bucket's stream. */
  readonly replicas: number;
}

/**
 * Reads the ring; makes one of the secret in the settings where there is none.
 * @throws KeyRingLocked when the settings hold none of the secrets that it may be sealed under
 */
export const readKeyRing = async ({ nats, settings, replicas }: KeyRingLocation): Promise<StoredKeyRing> =>
  found(nats, await bucketOf(nats, replicas), settings);

/** Result of a key rotation. */
export interface Rotation {
  readonly ring: StoredKeyRing;
  /** False when the secret of the settings was the current one already: a change that was broken off, or done twice. */
  readonly changed: boolean;
}

/**
 * Makes the secret of the settings the current one, and seals the ring under it. Running services take it up as soon as they hear of it, if their settings hold it, else at their
 * next start; until then they go on under the one before, which the ring keeps. May be done again after it was broken off.
 * @param holdMs how long signatures of those before hold at most
 * @throws KeyRingLocked as {@link readKeyRing}
 */
export const rotateKeyRing = async (place: KeyRingLocation, nowMs: number, holdMs = SIGNATURES_HOLD_MS): Promise<Rotation> => {
  const bucket = await bucketOf(place.nats, place.replicas);
  const ring = await found(place.nats, bucket, place.settings);
  const secret = place.settings.CONTINUO_SECRET;
  const [current, ...others] = ring.members;
  const changed = current?.secret !== secret;
  // Digests stay those of the last one: a founding secret that comes back is listed twice rather than moved.
  const before = (changed ? ring.members : others).filter((one, index, { length }) => one.secret !== secret || index === length - 1);
  const next = [
    current?.secret === secret ? current : { secret, sinceMs: nowMs },
    ...before.map((one) => ({ ...one, signsUntilMs: Math.min(one.signsUntilMs ?? Number.POSITIVE_INFINITY, nowMs + holdMs) })),
  ];
  if (JSON.stringify(next) === JSON.stringify(ring.members)) return { ring, changed };
  const revision = await bucket.update(KEY, textOf(next, secret), ring.revision);
  return { ring: { members: next, sealedUnder: secretFingerprint(secret), revision }, changed };
};

/** A ring as it is at this moment. */
export const keyRingFrom = (list: readonly KeyRingMember[], now: () => number = Date.now): KeyRing => {
  // A secret that came back is in the list twice.
  const of = (some: readonly KeyRingMember[]): string[] => [...new Set(some.map(({ secret }) => secret))];
  const all = of(list);
  const [current] = all;
  const founding = list.at(-1)?.secret;
  if (current === undefined || founding === undefined) throw new RangeError('a ring holds a secret at least');
  const holds = ({ signsUntilMs }: KeyRingMember): boolean => signsUntilMs === undefined || signsUntilMs > now();
  return { current, all, founding, signing: () => of(list.filter(holds)) };
};

/** The ring of a running service, which follows changes of the bucket until it is closed. */
export interface LiveKeyRing extends KeyRing {
  close(): void;
}

/**
 * Opens the ring for a service and keeps it up to date.
 * @throws KeyRingLocked as {@link readKeyRing}
 */
export const openLiveKeyRing = async (
  place: KeyRingLocation & { readonly log: Logger },
  now: () => number = Date.now,
): Promise<LiveKeyRing> => {
  const { nats, settings, replicas, log } = place;
  let ring = (await readKeyRing(place)).members;
  const watch = await (await bucketOf(nats, replicas)).watch({ key: KEY });
  const follow = async (): Promise<void> => {
    for await (const entry of watch) {
      try {
        if (entry.operation === 'PUT') ring = opened(entry, settled(settings)).members;
      } catch (err) {
        // What this service seals and signs meanwhile is read by the others: the ring keeps its secret.
        log.warn({ err }, 'CONTINUO_SECRET was replaced; this service uses the previous one until it is restarted with the new one');
      }
    }
  };
  void follow().catch((err: unknown) => log.error({ err }, 'stopped watching changes of the secret'));
  return {
    get current() {
      return keyRingFrom(ring, now).current;
    },
    get all() {
      return keyRingFrom(ring, now).all;
    },
    get founding() {
      return keyRingFrom(ring, now).founding;
    },
    signing: () => keyRingFrom(ring, now).signing(),
    close: () => watch.stop(),
  };
};
