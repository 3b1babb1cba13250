import { describe, expect, it } from 'vitest';
import { authFixture, keyRow, request, rows, ruleRow, userRow } from '../../../test/auth/auth.fixture.js';
import type { Caller } from '../auth.js';

/** Logs in to the compatibility API. */
const compat = async (fixture: ReturnType<typeof authFixture>, params: Record<string, string>): Promise<Caller> => {
  const result = await fixture.auth.authenticateCompat(request(params));
  if (!result.ok) throw new Error(result.failure.reason);
  return result.caller;
};

describe('authorizationCheck', () => {
  it('passes until the session ends or expires, and does not extend it', async () => {
    const fixture = authFixture();
    const open = async (): Promise<{ token: string; stands: () => Promise<boolean> }> => {
      const { token } = await fixture.auth.handshake(request({ auth: 'bobs-own-key' }), '');
      const caller = await fixture.auth.authenticateNative(request({ auth: token }));
      return { token, stands: await fixture.auth.authorizationCheckOf(caller) };
    };
    const [ended, left] = [await open(), await open()];
    expect([await ended.stands(), await left.stands()]).toEqual([true, true]);
    await fixture.auth.goodbye(request({ auth: ended.token }));
    expect([await ended.stands(), await left.stands()]).toEqual([false, true]);
    for (let minutes = 0; minutes < 61; minutes += 1) {
      await left.stands();
      fixture.clock.nowMs += 60_000;
    }
    expect(await left.stands()).toBe(false);
  });

  it('fails once the key is revoked, the account disabled or gone, or the access list closed', async () => {
    const cases = [
      { ...rows, apiKeys: [keyRow(1, 'adas-own-key')] },
      { ...rows, users: [userRow({ id: 2, username: 'bob', disabled: true })] },
      { ...rows, users: [] },
      { ...rows, accessRules: [ruleRow({ type: 'stream' })] },
      { ...rows, accessRules: [ruleRow({ start_address: '10.0.0.0', end_address: '10.255.255.255' })] },
    ];
    for (const changed of cases) {
      const fixture = authFixture();
      const stands = await fixture.auth.authorizationCheckOf(
        await fixture.auth.authenticateNative(request({}, { authorization: 'ApiKey bobs-own-key' })),
      );
      expect(await stands()).toBe(true);
      fixture.change(changed);
      expect(await stands()).toBe(false);
    }
  });

  it('fails once the password has changed', async () => {
    for (const secrets of [
      { password: 'other', compat: 'sesame' },
      { password: 'correct horse', compat: 'other' },
    ]) {
      const fixture = authFixture();
      const stands = await fixture.auth.authorizationCheckOf(await compat(fixture, { u: 'ada', p: 'sesame' }));
      expect(await stands()).toBe(true);
      fixture.change({ ...rows, users: [userRow({ id: 1, username: 'Ada', access: 100 }, secrets)] });
      expect(await stands()).toBe(false);
    }
  });
});
