import { userId } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { authFixture, NOON, request, rows, ruleRow, SECRET } from '../../test/auth/auth.fixture.js';
import { playerUrls } from './credentials/player-urls.js';

const params = { type: 'song', oid: '7', format: 'raw', client: 'localplay' };
const ssidOf = (id: number): string => playerUrls(SECRET, () => NOON).sign(userId.parse(id), params);
const expired = { code: 'auth.expired' };

describe('a player that fetches what somebody queued', () => {
  it('plays for that account, under its own name', async () => {
    const { auth } = authFixture();
    const caller = await auth.authenticateMedia(request({ ...params, ssid: ssidOf(2) }), 'play');
    expect(caller).toMatchObject({ account: { username: 'bob' }, by: 'media-token', client: 'localplay' });
    expect(caller.session).toBeUndefined();
  });

  it('gets what was queued and nothing else', async () => {
    const { auth } = authFixture();
    const ssid = ssidOf(2);
    for (const changed of [{ oid: '8' }, { random: '1' }, { demo_id: '1' }, { action: 'download' }, { client: 'x' }])
      await expect(auth.authenticateMedia(request({ ...params, ...changed, ssid }), 'play')).rejects.toMatchObject(expired);
    await expect(auth.authenticateMedia(request({ ...params, ssid }), 'picture')).rejects.toMatchObject(expired);
    await expect(auth.authenticateNative(request({ ...params, auth: ssid }))).rejects.toMatchObject(expired);
  });

  it('gets nothing for an account that is disabled or gone, or from an address that the access list does not admit', async () => {
    const { auth, change } = authFixture();
    await expect(auth.authenticateMedia(request({ ...params, ssid: ssidOf(3) }), 'play')).rejects.toMatchObject(expired);
    await expect(auth.authenticateMedia(request({ ...params, ssid: ssidOf(99) }), 'play')).rejects.toMatchObject(expired);
    change({ ...rows, accessRules: [ruleRow()] });
    await expect(auth.authenticateMedia(request({ ...params, ssid: ssidOf(2) }), 'play')).rejects.toMatchObject({ code: 'access.address' });
  });

  it('gets nothing a month later', async () => {
    const { auth, clock } = authFixture();
    const ssid = ssidOf(2);
    clock.nowMs += 31 * 86_400_000;
    await expect(auth.authenticateMedia(request({ ...params, ssid }), 'play')).rejects.toMatchObject(expired);
  });
});
