import { randomBytes } from 'node:crypto';
import { chmod, rename, writeFile } from 'node:fs/promises';
import { eachUserKey, keyRingFrom, rotateKeyRing, type KeysBySecret, type KeyRingSettings, type Rotation } from '@continuo/chassis';
import type { NatsConnection } from '@nats-io/transport-node';

/** Outcome of rotating the secret. */
export interface RotationReport extends Rotation {
  readonly keys: KeysBySecret;
}

/** Where a secret is changed. */
export interface RotationPlace {
  readonly nats: NatsConnection;
  readonly settings: KeyRingSettings;
  /** Nothing that a secret before signed holds any more. */
  readonly atOnce: boolean;
  readonly nowMs: number;
}

/** The settings' secret becomes the current one, and the keys of accounts are wrapped under it. */
export const rotate = async ({ nats, settings, atOnce, nowMs }: RotationPlace): Promise<RotationReport> => {
  // The server that runs has made the buckets, with as many copies as it wants.
  const replicas = 1;
  const rotation = await rotateKeyRing({ nats, settings, replicas }, nowMs, atOnce ? 0 : undefined);
  const secret = keyRingFrom(rotation.ring.members);
  return { ...rotation, keys: await eachUserKey({ nats, secret, replicas }, { rewrap: true }) };
};

/** Writes a file of secrets so that a reader, and a power cut, finds the old text or the new one. */
const writeSecrets = async (path: string, secrets: readonly string[]): Promise<void> => {
  await writeFile(`${path}.new`, secrets.map((secret) => `${secret}\n`).join(''), { mode: 0o600, flush: true });
  await chmod(`${path}.new`, 0o600);
  await rename(`${path}.new`, path);
};

/**
 * The same where the secret lies in a file: a new one is made up. The file holds both until everything is done, so that a start in between, or after a crash, finds the one it needs.
 * @param present what the file holds now; two secrets when an earlier change was broken off, which is then completed
 */
export const rotateFile = async (
  path: string,
  present: KeyRingSettings,
  place: Omit<RotationPlace, 'settings'>,
): Promise<RotationReport> => {
  const isUnderWay = present.CONTINUO_SECRET_PREVIOUS !== undefined;
  const settings = isUnderWay
    ? present
    : { CONTINUO_SECRET: randomBytes(32).toString('hex'), CONTINUO_SECRET_PREVIOUS: present.CONTINUO_SECRET };
  await writeSecrets(path, [settings.CONTINUO_SECRET, settings.CONTINUO_SECRET_PREVIOUS ?? '']);
  const report = await rotate({ ...place, settings });
  await writeSecrets(path, [settings.CONTINUO_SECRET]);
  return report;
};
