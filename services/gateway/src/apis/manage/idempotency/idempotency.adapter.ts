import { isRevisionConflict, type Sealer } from '@continuo/chassis';
import { Rejection } from '@continuo/contracts';
import { jetstream } from '@nats-io/jetstream';
import { Kvm, type KV } from '@nats-io/kv';
import type { BucketStoreOptions } from '../../../auth/sessions/watched-bucket.js';
import { claimOn, type Claim, type IdempotencyRecord, type IdempotencyStore, type KeptAnswer } from './idempotency.js';

/** Options of the store. */
export interface IdempotencyOptions extends BucketStoreOptions {
  /** Answers are kept sealed: that of a new key holds its text. */
  readonly sealer: Sealer;
}

const BUCKET = 'manage_idempotency';
const DAY_MS = 24 * 3_600_000;
/** Races for one key are lost to somebody who has it then. */
const CLAIM_TRIES = 4;

const notKept = (cause: unknown): Rejection =>
  new Rejection('unavailable', 'the idempotency key cannot be kept at the moment', undefined, { cause });

/** Opens what is kept in the JetStream bucket `manage_idempotency`, which is made by the first request that needs it. */
export const jetStreamIdempotency = (options: IdempotencyOptions): IdempotencyStore => {
  let opening: Promise<KV> | undefined;
  const bucket = (): Promise<KV> => {
    opening ??= openBucket(options).catch((cause: unknown) => {
      opening = undefined;
      throw notKept(cause);
    });
    return opening;
  };
  return { claim: async (key, fingerprint) => claim(await bucket(), options, key, fingerprint) };
};

const openBucket = ({ nats, replicas }: IdempotencyOptions): Promise<KV> =>
  new Kvm(jetstream(nats)).create(BUCKET, {
    history: 1,
    storage: 'file',
    description: 'Answers to requests with an idempotency key',
    replicas,
    ttl: DAY_MS,
    // Another copy of the stream may not have heard yet that a key is taken.
    allow_direct: false,
  });

const recordOf = (text: string, { sealer, log }: IdempotencyOptions): IdempotencyRecord | undefined => {
  try {
    return JSON.parse(sealer.open(text)) as IdempotencyRecord;
  } catch (err) {
    log.warn({ err }, 'a kept answer cannot be opened: CONTINUO_SECRET has changed; the request is run again');
    return undefined;
  }
};

/** @throws Rejection `unavailable` when the key could not be written for another reason than that somebody else has it */
const undefinedIfTaken = (cause: unknown): undefined => {
  if (isRevisionConflict(cause)) return undefined;
  throw notKept(cause);
};

const claim = async (kv: KV, options: IdempotencyOptions, key: string, fingerprint: string): Promise<Claim> => {
  const { now, sealer } = options;
  for (let attempt = 1; attempt <= CLAIM_TRIES; attempt += 1) {
    const entry = await kv.get(key);
    const known = entry?.operation === 'PUT' ? recordOf(entry.string(), options) : undefined;
    const told = known && claimOn(known, fingerprint, now());
    if (told) return told;
    const record: IdempotencyRecord = { fingerprint, startedAtMs: now() };
    const text = sealer.seal(JSON.stringify(record));
    const revision = await (entry ? kv.update(key, text, entry.revision) : kv.create(key, text)).catch(undefinedIfTaken);
    if (revision !== undefined) return claimed(kv, options, key, { record, revision });
  }
  return { kind: 'running' };
};

const claimed = (
  kv: KV,
  { log, sealer }: IdempotencyOptions,
  key: string,
  { record, revision }: { readonly record: IdempotencyRecord; readonly revision: number },
): Claim => {
  const failed = (err: unknown): void => log.warn({ err }, 'failed to keep the answer of a request; a repetition runs again');
  return {
    kind: 'new',
    finish: async (answer: KeptAnswer) => {
      await kv.update(key, sealer.seal(JSON.stringify({ ...record, answer })), revision).catch(failed);
    },
    release: async () => {
      await kv.delete(key, { previousSeq: revision }).catch(failed);
    },
  };
};
