import { signOperatorToken } from '@continuo/chassis';
import { describe, expect, it } from 'vitest';
import { authFixture, request, SECRET } from '../../test/auth/auth.fixture.js';

const bearer = (token: string) => request({}, { authorization: `Bearer ${token}` });

describe('the operator', () => {
  it('is whoever signs with the secret of the server, for a minute', () => {
    const { auth, clock } = authFixture();
    const token = signOperatorToken(SECRET, clock.nowMs);
    expect(auth.operator(bearer(token))).toMatchObject({ by: 'operator', account: { access: 100, catalogs: 'all' } });
    expect(auth.operator(bearer(signOperatorToken(`${SECRET}?`, clock.nowMs)))).toBeUndefined();
    expect(auth.operator(bearer('adas-own-key'))).toBeUndefined();
    expect(auth.operator(request({ auth: token }))).toBeUndefined();
    clock.nowMs += 120_000;
    expect(auth.operator(bearer(token))).toBeUndefined();
  });

  it('is nobody to the other APIs', async () => {
    const { auth, clock } = authFixture();
    const asked = bearer(signOperatorToken(SECRET, clock.nowMs));
    await expect(auth.authenticateNative(asked)).rejects.toMatchObject({ code: 'auth.expired' });
    expect(await auth.authenticateCompat(asked)).toMatchObject({ ok: false });
    await expect(auth.authenticateMedia(asked, 'play')).rejects.toMatchObject({ code: expect.stringMatching(/^auth/) });
  });
});
