import { userId } from '@continuo/contracts';
import { testNats, type TestNats } from '@continuo/local-servers';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keyedDigest } from './digest.js';
import { secretSealer } from './sealer.adapter.js';
import {
  openLiveKeyRing,
  readKeyRing,
  KeyRingLocked,
  keyRingFrom,
  rotateKeyRing,
  secretFingerprint,
  type LiveKeyRing,
  type KeyRingSettings,
} from './key-ring.adapter.js';
import { signer } from './signer.js';
import { eachUserKey, jetStreamUserKeys } from './user-keys.adapter.js';

const OLD = 'the old secret, of thirty-two characters';
const NEW = 'the new secret, of thirty-two characters';
const NEWER = 'a newer secret, of thirty-two characters';
const both: KeyRingSettings = { CONTINUO_SECRET: NEW, CONTINUO_SECRET_PREVIOUS: OLD };
const ada = userId.parse(1);

let server: TestNats;
let nats: NatsConnection;
let rings: LiveKeyRing[];
let nowMs: number;
beforeEach(async () => {
  server = await testNats();
  nats = await connect({ servers: server.url });
  rings = [];
  nowMs = Date.now();
});
afterEach(async () => {
  for (const ring of rings) ring.close();
  await nats.close();
  await server.stop();
});

const at = (settings: KeyRingSettings) => ({ nats, settings, replicas: 1 });
const live = async (settings: KeyRingSettings): Promise<LiveKeyRing> => {
  const ring = await openLiveKeyRing({ ...at(settings), log: pino({ level: 'silent' }) }, () => nowMs);
  rings.push(ring);
  return ring;
};

describe('the key ring', () => {
  it('is made once, however many services come up at once', async () => {
    const found = await Promise.all(Array.from({ length: 5 }, () => live({ CONTINUO_SECRET: OLD })));
    expect(found.map(({ all }) => all)).toEqual(Array.from({ length: 5 }, () => [OLD]));
  });

  it('refuses a secret that is not that of the data, and says which one it wants', async () => {
    await live({ CONTINUO_SECRET: OLD });
    const refused = live({ CONTINUO_SECRET: NEW });
    await expect(refused).rejects.toThrow(KeyRingLocked);
    await expect(refused).rejects.toThrow(secretFingerprint(OLD));
    await expect(refused).rejects.not.toThrow(OLD);
  });

  it('refuses it for data that are older than rings, by the keys of accounts', async () => {
    await jetStreamUserKeys({ nats, secret: OLD, replicas: 1 }).sealerFor(ada);
    await expect(live({ CONTINUO_SECRET: NEW })).rejects.toThrow(KeyRingLocked);
    expect((await live(both)).current).toBe(OLD);
  });

  it('begins anew when the operator says that the secret is lost', async () => {
    await jetStreamUserKeys({ nats, secret: OLD, replicas: 1 }).sealerFor(ada);
    await live({ CONTINUO_SECRET: OLD });
    const ring = await live({ CONTINUO_SECRET: NEW, CONTINUO_SECRET_LOST: true });
    expect(ring.all).toEqual([NEW]);
    expect(await live({ CONTINUO_SECRET: NEW })).toMatchObject({ all: [NEW] });
  });

  it('goes from one secret to the next under services that run: what either made opens and holds on both sides', async () => {
    const [behind, ahead] = [await live({ CONTINUO_SECRET: OLD }), await live(both)];
    const [left, right] = [behind, ahead].map((ring) => ({
      sealer: secretSealer(ring, 'x'),
      marks: signer(ring, 'x'),
      digest: keyedDigest(ring, 'x'),
    }));
    if (!left || !right) throw new Error('two were opened');
    const before = { sealed: left.sealer.seal('sesame'), mark: left.marks.mark('form'), digest: left.digest('ada') };
    expect(right.sealer.open(before.sealed)).toBe('sesame');

    expect(await rotateKeyRing(at(both), nowMs)).toMatchObject({ changed: true });
    await vi.waitFor(() => expect(ahead.current).toBe(NEW), 20_000);
    // The service without the new secret goes on under its own.
    expect(behind.current).toBe(OLD);
    expect(right.sealer.open(left.sealer.seal('late'))).toBe('late');
    expect(right.sealer.open(before.sealed)).toBe('sesame');
    expect(right.marks.isMark('form', before.mark)).toBe(true);
    expect(right.marks.isMark('form', left.marks.mark('other'))).toBe(false);
    expect(right.digest('ada')).toBe(before.digest);

    nowMs += 48 * 3_600_000 + 1;
    expect(right.marks.isMark('form', before.mark)).toBe(false);
    expect(right.marks.isMark('form', right.marks.mark('form'))).toBe(true);
    // Alone, the new secret opens everything; the old one opens nothing any more.
    expect((await live({ CONTINUO_SECRET: NEW })).all).toEqual([NEW, OLD]);
    await expect(live({ CONTINUO_SECRET: OLD })).rejects.toThrow(KeyRingLocked);
  });

  it('can be rotated twice, back, and once more when it was done already, and stays with its first digests', async () => {
    const first = keyedDigest(await live({ CONTINUO_SECRET: OLD }), 'x')('ada');
    await rotateKeyRing(at(both), nowMs);
    expect(await rotateKeyRing(at(both), nowMs)).toMatchObject({ changed: false });
    await rotateKeyRing(at({ CONTINUO_SECRET: NEWER, CONTINUO_SECRET_PREVIOUS: NEW }), nowMs, 0);
    const { ring } = await rotateKeyRing(at({ CONTINUO_SECRET: OLD, CONTINUO_SECRET_PREVIOUS: NEWER }), nowMs, 0);
    const back = keyRingFrom(ring.members, () => nowMs);
    expect(back.current).toBe(OLD);
    expect(new Set(back.all)).toEqual(new Set([OLD, NEW, NEWER]));
    expect(back.signing()).toEqual([OLD]);
    expect(keyedDigest(back, 'x')('ada')).toBe(first);
  });

  it('holds nothing that any secret of before signed, when that is asked for, also after the change', async () => {
    await live({ CONTINUO_SECRET: OLD });
    const signing = async (settings: KeyRingSettings, holdMs?: number): Promise<readonly string[]> =>
      keyRingFrom((await rotateKeyRing(at(settings), nowMs, holdMs)).ring.members, () => nowMs).signing();
    expect(await signing(both)).toEqual([NEW, OLD]);
    expect(await signing({ CONTINUO_SECRET: NEWER, CONTINUO_SECRET_PREVIOUS: NEW }, 0)).toEqual([NEWER]);
    expect(await signing({ CONTINUO_SECRET: OLD, CONTINUO_SECRET_PREVIOUS: NEWER })).toEqual([OLD, NEWER]);
    expect(await signing({ CONTINUO_SECRET: OLD }, 0)).toEqual([OLD]);
    expect(keyRingFrom((await readKeyRing(at({ CONTINUO_SECRET: OLD }))).members, () => nowMs)).toMatchObject({
      current: OLD,
      founding: OLD,
    });
  });

  it('has the keys of accounts wrapped anew, so that the old secret opens none', async () => {
    await live({ CONTINUO_SECRET: OLD });
    const sealed = (await jetStreamUserKeys({ nats, secret: OLD, replicas: 1 }).sealerFor(ada)).seal('Ada');
    await jetStreamUserKeys({ nats, secret: NEWER, replicas: 1 }).sealerFor(userId.parse(2));
    await rotateKeyRing(at(both), nowMs);
    const secret = keyRingFrom((await readKeyRing(at({ CONTINUO_SECRET: NEW }))).members);
    const options = { nats, secret, replicas: 1 };
    expect(await eachUserKey(options, { rewrap: false })).toEqual({ counts: [0, 1], locked: 1 });
    expect(await eachUserKey(options, { rewrap: true })).toEqual({ counts: [1, 0], locked: 1 });
    expect(await eachUserKey(options, { rewrap: false })).toEqual({ counts: [1, 0], locked: 1 });
    expect((await jetStreamUserKeys({ nats, secret: OLD, replicas: 1 }).find(ada)).state).toBe('locked');
    const key = await jetStreamUserKeys(options).find(ada);
    expect(key.state === 'present' && key.sealer.open(sealed)).toBe('Ada');
  });
});
