import { jetstream, JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import { Kvm, type KV, type KvEntry } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { z } from 'zod';
import { winnerOf } from '../event-store/revision-conflict.js';
import { keyedDigest } from './digest.js';
import { SealBroken, secretSealer } from './sealer.adapter.js';
import type { SecretRing } from './secret-ring.js';

const BUCKET = 'server_secrets';
const KEY = 'ring';
const KEYS_OF_ACCOUNTS = 'pii_keys';
const MARK_DIGITS = 12;
/** Addresses, forms and lists that were signed before a change of the secret go on working so long: what clients keep for longest is good for two days. */
const SIGNATURES_HOLD_MS = 48 * 3_600_000;

const member = z.object({
  secret: z.string().min(1),
  /** When it became the current one. */
  sinceMs: z.int().nonnegative(),
  /** Until when what it signed holds; absent for the current one. */
  signsUntilMs: z.int().nonnegative().optional(),
});
/** One secret that the server has had. */
export type RingMember = Readonly<z.infer<typeof member>>;

/** What lies in the bucket: the members, the current one first, sealed under the secret of the settings. */
const kept = z.object({ version: z.literal(1), sealedUnder: z.string(), sealed: z.string() });
const members = z.array(member).min(1);

/** A short text that tells secrets apart and cannot be turned back into one. */
export const secretMark = (secret: string): string => keyedDigest(secret, 'secret-mark/v1')('continuo').slice(0, MARK_DIGITS);

/** The ring of a server cannot be opened with what the settings hold. The message tells the operator what to do. */
export class RingLocked extends Error {
  override readonly name = 'RingLocked';
}

/** What the settings say of secrets. */
export interface RingSettings {
  readonly CONTINUO_SECRET: string;
  readonly CONTINUO_SECRET_PREVIOUS?: string | undefined;
  readonly CONTINUO_SECRET_LOST?: boolean | undefined;
}

/** The ring as it lies in the bucket. */
export interface StoredRing {
  readonly members: readonly RingMember[];
  /** Which secret the bucket's entry is sealed under, as {@link secretMark}. */
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

const textOf = (list: readonly RingMember[], secret: string): string =>
  JSON.stringify({ version: 1, sealedUnder: secretMark(secret), sealed: wrapper(secret).seal(JSON.stringify(list)) });

const settled = ({ CONTINUO_SECRET, CONTINUO_SECRET_PREVIOUS }: RingSettings): readonly string[] =>
  CONTINUO_SECRET_PREVIOUS === undefined ? [CONTINUO_SECRET] : [CONTINUO_SECRET, CONTINUO_SECRET_PREVIOUS];

const opened = (entry: KvEntry, secrets: readonly string[]): StoredRing => {
  const { sealedUnder, sealed } = kept.parse(entry.json());
  for (const secret of secrets) {
    try {
      return { members: members.parse(JSON.parse(wrapper(secret).open(sealed))), sealedUnder, revision: entry.revision };
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
    }
  }
  throw new RingLocked(
    `CONTINUO_SECRET is not the secret of this server's data: that one has the mark ${sealedUnder}, the settings have ${secrets.map(secretMark).join(' and ')}. ${REMEDY}`,
  );
};

const opensAny = (secrets: readonly string[], purpose: string, sealed: string): boolean =>
  secrets.some((secret) => {
    try {
      return secretSealer(secret, purpose).open(sealed) !== '';
    } catch (error) {
      if (error instanceof SealBroken) return false;
      throw error;
    }
  });

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
  throw new RingLocked(`CONTINUO_SECRET is not the secret that the accounts of this server were made under. ${REMEDY}`);
};

const begin = async (bucket: KV, secret: string): Promise<void> => {
  await bucket.create(KEY, textOf([{ secret, sinceMs: Date.now() }], secret)).catch(async (error: unknown) => {
    // Another service may have made it in the same moment.
    await winnerOf(error, async () => (await bucket.get(KEY)) ?? undefined);
  });
};

/** The ring that is there; undefined for none, and for one that is locked while the operator says that its secret is lost. */
const present = async (bucket: KV, settings: RingSettings): Promise<StoredRing | undefined> => {
  const entry = await bucket.get(KEY);
  if (entry?.operation !== 'PUT') return undefined;
  try {
    return opened(entry, settled(settings));
  } catch (error) {
    if (!(error instanceof RingLocked && settings.CONTINUO_SECRET_LOST)) throw error;
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

const found = async (nats: NatsConnection, bucket: KV, settings: RingSettings): Promise<StoredRing> => {
  const ring = await present(bucket, settings);
  if (ring) return ring;
  if (!settings.CONTINUO_SECRET_LOST) await refuseForeignKeys(nats, settled(settings));
  // Data that were there before the ring was have the older of the two.
  await begin(bucket, settings.CONTINUO_SECRET_PREVIOUS ?? settings.CONTINUO_SECRET);
  const made = await bucket.get(KEY);
  if (!made) throw new Error('the ring of secrets has vanished while it was made');
  return opened(made, settled(settings));
};

/** Where the ring lies, and the settings that open it. */
export interface RingPlace {
  readonly nats: NatsConnection;
  readonly settings: RingSettings;
  /** Copies of the bucket's stream. */
  readonly replicas: number;
}

/**
 * Reads the ring; makes one of the secret in the settings where there is none.
 * @throws RingLocked when the settings hold none of the secrets that it may be sealed under
 */
export const readRing = async ({ nats, settings, replicas }: RingPlace): Promise<StoredRing> =>
  found(nats, await bucketOf(nats, replicas), settings);

/** What a change of the secret did. */
export interface Rotation {
  readonly ring: StoredRing;
  /** False when the secret of the settings was the current one already: a change that was broken off, or done twice. */
  readonly changed: boolean;
}

/**
 * Makes the secret of the settings the current one, and seals the ring under it. Running services take it up as soon as they hear of it, if their settings hold it, else at their
 * next start; until then they go on under the one before, which the ring keeps. May be done again after it was broken off.
 * @param holdMs how long signatures of the one before hold
 * @throws RingLocked as {@link readRing}
 */
export const rotateRing = async (place: RingPlace, nowMs: number, holdMs = SIGNATURES_HOLD_MS): Promise<Rotation> => {
  const bucket = await bucketOf(place.nats, place.replicas);
  const ring = await found(place.nats, bucket, place.settings);
  const secret = place.settings.CONTINUO_SECRET;
  const [current, ...others] = ring.members;
  if (current === undefined || current.secret === secret) return { ring, changed: false };
  const before = [{ ...current, signsUntilMs: nowMs + holdMs }, ...others.filter((one) => one.secret !== secret)];
  // Digests stay those of the last one: a founding secret that comes back is listed twice rather than moved.
  const founding = ring.members.at(-1);
  const tail = founding?.secret === secret ? [...before, founding] : before;
  const next = [{ secret, sinceMs: nowMs }, ...tail];
  const revision = await bucket.update(KEY, textOf(next, secret), ring.revision);
  return { ring: { members: next, sealedUnder: secretMark(secret), revision }, changed: true };
};

/** A ring as it is at this moment. */
export const ringFrom = (list: readonly RingMember[], now: () => number = Date.now): SecretRing => {
  // A secret that came back is in the list twice.
  const of = (some: readonly RingMember[]): string[] => [...new Set(some.map(({ secret }) => secret))];
  const all = of(list);
  const [current] = all;
  const founding = list.at(-1)?.secret;
  if (current === undefined || founding === undefined) throw new RangeError('a ring holds a secret at least');
  const holds = ({ signsUntilMs }: RingMember): boolean => signsUntilMs === undefined || signsUntilMs > now();
  return { current, all, founding, signing: () => of(list.filter(holds)) };
};

/** The ring of a running service, which follows changes of the bucket until it is closed. */
export interface LiveRing extends SecretRing {
  close(): void;
}

/**
 * Opens the ring for a service and keeps it up to date.
 * @throws RingLocked as {@link readRing}
 */
export const openLiveRing = async (place: RingPlace & { readonly log: Logger }, now: () => number = Date.now): Promise<LiveRing> => {
  const { nats, settings, replicas, log } = place;
  let ring = (await readRing(place)).members;
  const watch = await (await bucketOf(nats, replicas)).watch({ key: KEY });
  const follow = async (): Promise<void> => {
    for await (const entry of watch) {
      try {
        if (entry.operation === 'PUT') ring = opened(entry, settled(settings)).members;
      } catch (err) {
        // What this service seals and signs meanwhile is read by the others: the ring keeps its secret.
        log.warn({ err }, 'CONTINUO_SECRET was replaced; this service goes on under the one before until it is started with the new one');
      }
    }
  };
  void follow().catch((err: unknown) => log.error({ err }, 'changes of the secret are not followed any more'));
  return {
    get current() {
      return ringFrom(ring, now).current;
    },
    get all() {
      return ringFrom(ring, now).all;
    },
    get founding() {
      return ringFrom(ring, now).founding;
    },
    signing: () => ringFrom(ring, now).signing(),
    close: () => watch.stop(),
  };
};
