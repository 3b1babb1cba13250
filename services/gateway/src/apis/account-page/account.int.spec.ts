import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealer } from '../../../test/auth/auth.fixture.js';
import { goldenPath } from '../../../test/goldens/golden.js';
import { PageWorld, PASSWORDS, type PageBrowser } from '../../../test/account-page/page-world.fixture.js';

let world: PageWorld;

beforeAll(async () => {
  world = await PageWorld.start({
    settings: { AVATAR_MAX_BYTES: 300_000, ART_MAX_INPUT_PIXELS: 4_000_000 },
    auth: { LOGIN_FAILURES_PER_ACCOUNT: 1000 },
  });
});
afterAll(() => world.stop());

const sent = (verb: string): readonly unknown[] => world.commands.sent.filter(({ subject }) => subject === `cmd.identity.${verb}`);

describe('the own account', () => {
  it('shows the account, and stores its profile', async () => {
    const bob = await world.signedIn('bob');
    const profile = { fullname: 'Bob Bobbin', website: 'https://bob.example', city: 'Ghent', state: 'Flanders', public: '1' };
    expect((await bob.post('/account/profile', profile)).headers['location']).toBe('me?done=profile');
    expect(world.row('bob')).toMatchObject({ full_name: 'Bob Bobbin', city: 'Ghent', state: 'Flanders', full_name_public: true });
    const page = await bob.get('/account/me?done=profile');
    expect(page.body).toContain('role="status">Saved.<');
    expect(page.body).toContain('value="Bob Bobbin"');
    await bob.post('/account/profile', { fullname: '' });
    expect(world.row('bob')).toMatchObject({ full_name: null, full_name_public: false, website: null });
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://x', 'not an address'])('rejects the website %s', async (website) => {
    const bob = await world.signedIn('bob');
    const answer = await bob.post('/account/profile', { website });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('role="alert">A website begins with');
    expect(world.row('bob').website).toBeNull();
  });

  it('requires the current password before changes that could take over the account', async () => {
    const bob = await world.signedIn('bob');
    const before = { ...world.row('bob') };
    const news = { password: 'a new password', again: 'a new password' };
    for (const current of ['', 'wrong', PASSWORDS.ada]) {
      for (const [form, fields] of [
        ['email', { email: 'b@example.org' }],
        ['password', news],
        ['player-password', news],
        ['secrets', {}],
      ] as const) {
        const answer = await bob.post(`/account/${form}`, { ...fields, current });
        expect([form, answer.statusCode]).toEqual([form, 401]);
        expect(answer.body).not.toContain('bobs-own-key-of-old');
      }
    }
    expect(world.row('bob')).toEqual(before);
    expect((await bob.post('/account/email', { email: 'b@example.org', current: PASSWORDS.bob })).statusCode).toBe(303);
    expect(world.row('bob').email).toBe('b@example.org');
  });

  it('changes its password: other sessions end, this browser stays, under another token', async () => {
    const bob = await world.signedIn('bob');
    const other = await world.signedIn('bob');
    const token = bob.cookies.get('continuo');
    world.fixture.clock.nowMs += 5;
    for (const [password, again] of [
      ['short', 'short'],
      ['long enough', 'but different'],
    ] as const)
      expect((await bob.post('/account/password', { current: PASSWORDS.bob, password, again })).statusCode).toBe(400);
    expect(
      (await bob.post('/account/password', { current: PASSWORDS.bob, password: 'quite another one', again: 'quite another one' }))
        .statusCode,
    ).toBe(303);
    expect((await bob.get('/account/me?done=password')).statusCode).toBe(200);
    expect(bob.cookies.get('continuo')).not.toBe(token);
    expect((await other.get('/account/me')).headers['location']).toBe('login');
    await bob.post('/account/password', { current: 'quite another one', password: PASSWORDS.bob, again: PASSWORDS.bob });
  });

  it('sets the password for players, shows its secrets when asked with the password, and replaces a stream token that there is', async () => {
    const bob = await world.signedIn('bob');
    await bob.post('/account/player-password', { current: PASSWORDS.bob, password: 'player word', again: 'player word' });
    expect(sealer.open(world.row('bob').sealed_compat_password ?? '')).toBe('player word');
    expect((await bob.post('/account/stream-token')).statusCode).toBe(403);
    await world.change(2, { sealed_stream_token: sealer.seal('the stream token') });
    const page = await bob.get('/account/me');
    expect(page.body).not.toMatch(/bobs-own-key-of-old|the stream token/);
    const shown = await bob.post('/account/secrets', { current: PASSWORDS.bob });
    expect(shown.body).toContain('<code>bobs-own-key-of-old</code>');
    expect(shown.body).toContain('<code>the stream token</code>');
    expect((await bob.post('/account/stream-token')).statusCode).toBe(303);
    expect(sealer.open(world.row('bob').sealed_stream_token ?? '')).toMatch(/^stream-/);
  });

  it('tells what its keys open, and until when', async () => {
    world.apiKeys = world.apiKeys.map((key) => ({ ...key, scopes: ['listen', 'manage:read:scans'], expires_at_ms: Date.UTC(2099, 0, 31) }));
    await world.change(2, {});
    const bob = await world.signedIn('bob');
    expect((await bob.get('/account/me')).body).toMatch(
      /made [^;]+; opens nothing from 2099-01-31[^;]* on; opens only listen, manage:read:scans</,
    );
  });

  it('renames and revokes its own keys, never those of others', async () => {
    const [ownKey, gusKey] = ['own-key', 'gus-key'];
    const secret = 'what the key itself says';
    const added = { ...world.apiKeys[0], sealed_key: sealer.seal(secret) };
    world.apiKeys = [
      ...world.apiKeys,
      { ...added, key_id: ownKey, user_id: 2, sha256: 'x' } as never,
      { ...added, key_id: gusKey, user_id: 4, sha256: 'y' } as never,
    ];
    const bob = await world.signedIn('bob');
    expect((await bob.get('/account/me')).body).not.toContain(secret);
    expect((await bob.post('/account/key-name', { key: ownKey, name: 'bath' })).statusCode).toBe(303);
    expect(world.apiKeys.find(({ key_id }) => key_id === ownKey)?.name).toBe('bath');
    for (const form of ['key-name', 'key-revoke'])
      expect((await bob.post(`/account/${form}`, { key: gusKey, name: 'mine' })).statusCode).toBe(400);
    expect((await bob.post('/account/key-revoke', { key: ownKey })).statusCode).toBe(303);
    expect(world.apiKeys.map(({ key_id }) => key_id)).toEqual(['key2', gusKey]);
  });

  it('lists its sessions of all APIs, and ends its own ones only', async () => {
    const bob = await world.signedIn('bob', { headers: { 'user-agent': '<i>Odd</i> Browser' } });
    const other = await world.signedIn('bob');
    const { auth } = world.fixture;
    const from = { headers: {}, peerAddress: '192.0.2.7' };
    const player = await auth.handshake({ ...from, params: { auth: 'bobs-own-key-of-old', client: 'A Player' } }, '8');
    const ada = await world.signedIn('ada');
    const page = await bob.get('/account/me');
    expect(page.body).toContain('&lt;i&gt;Odd&lt;/i&gt; Browser');
    expect(page.body).toContain('A Player');
    const ids = [...page.body.matchAll(/name="session" value="([^"]+)"/g)].map(([, id]) => id ?? '');
    expect(ids.length).toBeGreaterThanOrEqual(2);
    // An id is a digest, and opens nothing.
    expect(ids.join()).not.toContain(player.token);
    expect(ids.join()).not.toContain(other.cookies.get('continuo'));
    const ofAda = auth.web.sessionId(ada.cookies.get('continuo') ?? '');
    await bob.post('/account/session-end', { session: ofAda });
    expect((await ada.get('/account/me')).statusCode).toBe(200);
    await bob.post('/account/session-end', { session: auth.web.sessionId(other.cookies.get('continuo') ?? '') });
    expect((await other.get('/account/me')).headers['location']).toBe('login');
    await bob.get('/account/me');
    await bob.post('/account/sessions-end');
    await expect(auth.authenticateNative({ ...from, params: { auth: player.token } })).rejects.toThrow('Session Expired');
    expect((await bob.get('/account/me')).statusCode).toBe(200);
  });

  it('cannot be changed by guests', async () => {
    await world.signedIn('gus', { headers: { 'user-agent': 'Another Guest' } });
    const gus = await world.signedIn('gus');
    const page = await gus.get('/account/me');
    expect(page.body).toContain('Guest');
    expect(page.body).not.toContain('Another Guest');
    expect(page.body).not.toMatch(/action="(?!logout)/);
    const before = world.commands.sent.length;
    for (const form of [
      'profile',
      'email',
      'password',
      'player-password',
      'secrets',
      'key-revoke',
      'stream-token',
      'session-end',
      'sessions-end',
      'picture-remove',
    ])
      expect([
        form,
        (await gus.post(`/account/${form}`, { current: PASSWORDS.gus, password: '12345678', again: '12345678' })).statusCode,
      ]).toEqual([form, 403]);
    expect((await gus.upload('/account/picture', await picture(10, 10))).statusCode).toBe(403);
    expect(world.commands.sent).toHaveLength(before);
  });
});

const picture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .withExif({ IFD0: { Artist: 'who made it' }, IFD3: { GPSLatitudeRef: 'N' } })
    .jpeg()
    .toBuffer();

describe('a picture (9, 11)', () => {
  it('is stored as a square without metadata, and shown by all APIs', async () => {
    const bob = await world.signedIn('bob');
    const original = await picture(900, 600);
    expect(original.includes('who made it')).toBe(true);
    expect((await bob.upload('/account/picture', original)).headers['location']).toBe('me?done=picture');
    const { avatar_hash: hash } = world.row('bob');
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    const shown = await bob.get('/account/avatar');
    expect(shown.headers).toMatchObject({ 'content-type': 'image/jpeg', 'cross-origin-resource-policy': 'same-origin' });
    const headers = { authorization: 'Bearer bobs-own-key-of-old' };
    const compat = await world.gateway.app.inject({ url: '/rest/getAvatar?v=1.16.1&c=spec&username=bob', headers });
    expect(await sharp(compat.rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 512, height: 512 });
    expect(compat.rawPayload.includes('who made it')).toBe(false);
    const native = await world.gateway.app.inject({ url: '/server/json.server.php?action=get_art&type=user&id=2', headers });
    expect(native.rawPayload.equals(compat.rawPayload)).toBe(true);
    await bob.post('/account/picture-remove');
    expect(world.row('bob').avatar_hash).toBeNull();
  });

  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>');
  it.each([
    ['nothing', Buffer.alloc(0), 400],
    ['text', Buffer.from('hello'), 400],
    ['SVG', svg, 400],
    ['SVG behind the name of a JPEG', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), svg]), 400],
    ['too many bytes', Buffer.alloc(300_001, 0xff), 413],
  ])('that is %s is refused', async (_what, bytes, status) => {
    const bob = await world.signedIn('bob');
    const before = sent('set-avatar').length;
    expect((await bob.upload('/account/picture', bytes)).statusCode).toBe(status);
    expect(sent('set-avatar')).toHaveLength(before);
  });

  it('of too many pixels is rejected before it is decoded', async () => {
    const bob = await world.signedIn('bob');
    const bomb = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: 'white' } })
      .png()
      .toBuffer();
    expect(bomb.length).toBeLessThan(300_000);
    const answer = await bob.upload('/account/picture', bomb);
    expect([answer.statusCode, answer.body.includes('too many pixels')]).toEqual([400, true]);
  });

  it('is not read without a session, nor without a CSRF token', async () => {
    const before = await readdir(join(world.gateway.dataFolder, 'art')).catch(() => []);
    // Nor are its bytes counted: too many are no other answer.
    for (const bytes of [await picture(10, 10), Buffer.alloc(300_001)])
      expect((await world.browser().upload('/account/picture', bytes)).headers['location']).toBe('login');
    const bob = await world.signedIn('bob');
    expect((await bob.upload('/account/picture', await picture(11, 11), 'x')).statusCode).toBe(403);
    expect(await readdir(join(world.gateway.dataFolder, 'art')).catch(() => [])).toEqual(before);
  });
});

/** Everybody who may come to the pages; `stranger` has no session, `forger` a session and a mark of another one. */
const people = ['stranger', 'gus', 'bob', 'ada', 'forger'] as const;
const gets = ['me', 'avatar', 'login', 'setup', 'lost', 'recover'];
const posts = (
  'token profile email password player-password picture picture-remove secrets key-name key-revoke stream-token session-end sessions-end identity-link ' +
  'identity-unlink relay-listenbrainz relay-plugin relay-lastfm relay-finish relay-unlink relay-hurry lost recover login setup logout'
).split(' ');

const cell = async (browser: PageBrowser, method: string, name: string): Promise<string> => {
  const url = `/account/${name}`;
  const answer =
    method === 'GET' ? await browser.get(url) : name === 'picture' ? await browser.upload(url, Buffer.from('x')) : await browser.post(url);
  const location = answer.headers['location'];
  return location === undefined ? String(answer.statusCode) : `-> ${location}`;
};

it('permissions of the account pages match contracts/golden/access/account-page.txt', async () => {
  // Whatever the others left: somebody with a stream token may replace it.
  await world.change(2, { sealed_stream_token: sealer.seal('of the table') });
  const lines: string[] = [];
  const row = (name: string, cells: readonly string[]): void =>
    void lines.push([name.padEnd(24), ...cells.map((text) => text.padEnd(24))].join('').trimEnd());
  row('', people);
  for (const [method, names] of [
    ['GET', gets],
    ['POST', posts],
  ] as const) {
    for (const name of names) {
      const cells = [];
      for (const person of people) {
        const browser = person === 'stranger' ? world.browser() : await world.signedIn(person === 'forger' ? 'ada' : person);
        if (person === 'stranger') await browser.get('/account/lost');
        if (person === 'forger') browser.mark = (await world.signedIn('ada')).mark;
        // The forms are empty, so 400 and 401 mean: may, and was told what is missing.
        cells.push(await cell(browser, method, name));
      }
      row(`${method} ${name}`, cells);
    }
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(goldenPath('access/account-page.txt'));
});
