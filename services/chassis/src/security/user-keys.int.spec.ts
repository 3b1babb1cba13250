import { userId } from '@continuo/contracts';
import { testNats, type TestNats } from '@continuo/local-servers';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SealBroken } from './sealer.adapter.js';
import { jetStreamUserKeys } from './user-keys.adapter.js';

const secret = 'a secret of at least thirty-two characters';
let server: TestNats;
let nats: NatsConnection;
beforeAll(async () => {
  server = await testNats({ syncAlways: true });
  nats = await connect({ servers: server.url });
});
afterAll(async () => {
  await nats.close();
  await server.stop();
});

const opened = (withSecret = secret) => jetStreamUserKeys({ nats, secret: withSecret, replicas: 1 });
const ada = userId.parse(1);

describe('jetStreamUserKeys', () => {
  it('gives every replica the same key, even when both make it at once', async () => {
    const [left, right] = [opened(), opened()];
    const [one, two] = await Promise.all([left.sealerFor(ada), right.sealerFor(ada)]);
    expect(two.open(one.seal('Ada'))).toBe('Ada');
  });

  it('keeps the key through a crash of the server', async () => {
    const sealed = (await opened().sealerFor(ada)).seal('Ada');
    await nats.close();
    await server.crashAndRestart();
    nats = await connect({ servers: server.url });
    const found = await opened().find(ada);
    expect(found.state === 'present' && found.sealer.open(sealed)).toBe('Ada');
  });

  it('tells a key of another secret from one that is not there', async () => {
    const other = opened(`${secret}!`);
    expect((await other.find(ada)).state).toBe('locked');
    await expect(other.sealerFor(ada)).rejects.toThrow(SealBroken);
    expect((await other.find(userId.parse(99))).state).toBe('absent');
  });

  it('makes sealed data unreadable by destroying the key', async () => {
    const keys = opened();
    const bob = userId.parse(2);
    const sealed = (await keys.sealerFor(bob)).seal('Bob');
    await Promise.all([keys.destroy(bob), opened().destroy(bob), opened().destroy(bob)]);
    await keys.destroy(bob);
    expect((await keys.find(bob)).state).toBe('absent');
    const renewed = await keys.sealerFor(bob);
    expect(() => renewed.open(sealed)).toThrow(SealBroken);
  });
});
