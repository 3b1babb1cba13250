import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { recordingLog } from '@continuo/chassis/testkit';
import { locateSlapd, testKeycloak, testSlapd, type TestKeycloak } from '@continuo/local-servers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { leadsTo, PageWorld } from '../../../../test/account-page/page-world.fixture.js';
import { CLIENT, PUBLIC_URL, RETURN_URL, Visitor } from '../../../../test/account-page/provider/local-provider.fixture.js';
import {
  inside,
  itMakesAccounts,
  login,
  startOf,
  tried as triedBy,
} from '../../../../test/account-page/provider/provider-logins.fixture.js';

/* Keycloak, which many households and firms sign in with, and behind it a directory of people (LDAP). */

const PASSWORD = 'a password of the spec';
const { log, lines } = recordingLog();
const person = (username: string, groups: readonly string[], more = {}) => ({
  username,
  email: `${username}@example.org`,
  firstName: username,
  lastName: 'Example',
  emailVerified: true,
  enabled: true,
  groups,
  credentials: [{ type: 'password', value: PASSWORD, temporary: false }],
  ...more,
});
const realm = {
  realm: 'music',
  enabled: true,
  groups: [{ name: 'music' }, { name: 'staff' }],
  users: [
    person('nora', ['music', 'staff']),
    person('otto', ['staff']),
    person('uma', ['music'], { emailVerified: false }),
    person('gone', ['music'], { enabled: false }),
  ],
  clients: [
    {
      clientId: CLIENT.id,
      secret: CLIENT.secret,
      redirectUris: [RETURN_URL],
      consentRequired: true,
      attributes: {
        'post.logout.redirect.uris': `${PUBLIC_URL}/account/login?out=1`,
        'backchannel.logout.session.required': 'true',
      },
      protocolMappers: [
        {
          name: 'groups',
          protocol: 'openid-connect',
          protocolMapper: 'oidc-group-membership-mapper',
          config: { 'full.path': 'false', 'id.token.claim': 'true', 'userinfo.token.claim': 'true', 'claim.name': 'groups' },
        },
      ],
    },
  ],
};
let keycloak: TestKeycloak;
let world: PageWorld;

beforeAll(async () => {
  keycloak = await testKeycloak(realm);
  const settings = {
    PUBLIC_URL,
    OIDC_ISSUER: keycloak.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_REQUIRED_GROUP: 'music',
    OIDC_ACCOUNTS: 'create' as const,
  };
  world = await PageWorld.start({ settings, log });
});
afterAll(async () => {
  await world.stop();
  await keycloak.stop();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Somebody at Keycloak's pages: logs in, and agrees when asked for consent, or does not. */
const visitor = (username: string, { password = PASSWORD, consent = 'accept' } = {}): Visitor =>
  new Visitor((page): Record<string, string> | undefined => {
    if (page.includes('name="confirmLogout"'))
      return { session_code: /name="session_code" value="([^"]*)"/.exec(page)?.[1] ?? '', confirmLogout: 'Logout' };
    if (page.includes('name="accept"')) return { code: /name="code" value="([^"]*)"/.exec(page)?.[1] ?? '', [consent]: 'Yes' };
    return page.includes('id="kc-form-login"') ? { username, password, credentialId: '' } : undefined;
  });

const tried = (username: string) => triedBy(visitor(username), world);

interface Found {
  readonly id: string;
}
/** The only object that a question to the administration finds. */
const found = async (path: string): Promise<Found> => {
  const [one] = (await keycloak.admin('GET', path)) as Found[];
  if (!one) throw new Error(`nothing at ${path}`);
  return one;
};

describe('signing in at Keycloak', () => {
  itMakesAccounts(() => ({ world, visitor }));

  it('goes no further with a wrong password, or an account that was switched off there', async () => {
    const browser = world.browser();
    await expect(visitor('nora', { password: 'wrong' }).comeBackFrom(await startOf(browser))).rejects.toThrow(
      'Invalid username or password',
    );
    await expect(visitor('gone').comeBackFrom(await startOf(browser))).rejects.toThrow('Account is disabled');
    expect(browser.cookies.has('continuo')).toBe(false);
  });

  it('refuses who does not agree to what is asked of the provider', async () => {
    const { id } = await found('users?username=nora&exact=true');
    await keycloak.admin('DELETE', `users/${id}/consents/${CLIENT.id}`);
    const browser = world.browser();
    const { statusCode } = await login(browser, visitor('nora', { consent: 'cancel' }));
    expect([statusCode, browser.cookies.has('continuo')]).toEqual([401, false]);
    expect(await tried('nora')).toEqual([303, true, '']);
  });

  it('refuses who is outside of the group, and who has left it since', async () => {
    expect((await tried('otto')).slice(0, 2)).toEqual([403, false]);
    expect(world.users.some(({ username }) => username === 'otto')).toBe(false);
    const [user, group] = [await found('users?username=nora&exact=true'), await found('groups?search=music')];
    await keycloak.admin('DELETE', `users/${user.id}/groups/${group.id}`);
    expect((await tried('nora')).slice(0, 2)).toEqual([403, false]);
    await keycloak.admin('PUT', `users/${user.id}/groups/${group.id}`);
    expect(await tried('nora')).toEqual([303, true, '']);
  });

  it('knows who was renamed there as the same person', async () => {
    const { id } = await found('users?username=uma&exact=true');
    await keycloak.admin('PUT', 'users/profile', await editableUsernames());
    await keycloak.admin('PUT', `users/${id}`, { ...person('ursula', ['music']), credentials: undefined });
    const before = world.users.length;
    expect(await tried('ursula')).toEqual([303, true, '']);
    expect(world.users).toHaveLength(before);
  });
});

/** Accounts may be renamed in this realm from now on. */
const editableUsernames = async (): Promise<unknown> => {
  await keycloak.admin('PUT', '', { editUsernameAllowed: true });
  return keycloak.admin('GET', 'users/profile');
};

describe('clocks that differ', () => {
  it.each([-3600, -60, 60])('by %i s do not matter while the token is valid for five minutes', async (seconds) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
    expect(await tried('nora')).toEqual([303, true, '']);
  });

  it('refuse a token that is over, and say so in the log', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    expect((await tried('nora')).slice(0, 2)).toEqual([401, false]);
    expect(JSON.stringify(lines.at(-1))).toContain('OAUTH_JWT_TIMESTAMP_CHECK_FAILED');
  });
});

describe('keys that change', () => {
  it.each([
    { name: 'another key', providerId: 'rsa-generated', config: { priority: ['200'] } },
    { name: 'a key of another algorithm', providerId: 'ecdsa-generated', config: { priority: ['300'], ecdsaEllipticCurveKey: ['P-256'] } },
  ])('are read anew: a login right after $name succeeds', async ({ name, providerId, config }) => {
    const kids = async (): Promise<string[]> =>
      ((await (await fetch(await keysUrl())).json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
    const before = await kids();
    await keycloak.admin('POST', 'components', { name, providerId, providerType: 'org.keycloak.keys.KeyProvider', config });
    if (providerId === 'ecdsa-generated') {
      const { id } = await found(`clients?clientId=${CLIENT.id}`);
      const client = (await keycloak.admin('GET', `clients/${id}`)) as { attributes: object };
      const attributes = { ...client.attributes, 'id.token.signed.response.alg': 'ES256' };
      await keycloak.admin('PUT', `clients/${id}`, { ...client, attributes });
    }
    expect((await kids()).length).toBeGreaterThan(before.length);
    expect(await tried('nora')).toEqual([303, true, '']);
  });
});

const keysUrl = async (): Promise<string> =>
  ((await (await fetch(`${keycloak.issuer}/.well-known/openid-configuration`)).json()) as { jwks_uri: string }).jwks_uri;

describe('signing out', () => {
  it('ends the session at both: the next login asks for the password', async () => {
    const browser = world.browser();
    const who = visitor('nora');
    await browser.get(inside(await who.comeBackFrom(await startOf(browser))));
    await browser.get('/account/me');
    const again = await fetchedWithoutPassword(who);
    expect(again).toBe(true);
    const out = leadsTo(await browser.post('/account/logout'));
    expect(out).toContain(`${keycloak.issuer}/protocol/openid-connect/logout?`);
    expect((await who.comeBackFrom(out)).href).toBe(`${PUBLIC_URL}/account/login?out=1`);
    expect((await browser.get('/account/me')).headers['location']).toBe('login');
    expect(await fetchedWithoutPassword(who)).toBe(false);
  });
});

describe('signing out at Keycloak', () => {
  /** Stands for our public address, at which Keycloak would call: hands on what comes. */
  const door = createServer((request, response) => {
    void text(request)
      .then((body) => world.browser().post('/account/provider-logout', Object.fromEntries(new URLSearchParams(body))))
      .then(({ statusCode }) => response.writeHead(statusCode).end());
  });
  beforeAll(async () => {
    door.listen(0, '127.0.0.1');
    await once(door, 'listening');
    const { id } = await found(`clients?clientId=${CLIENT.id}`);
    const client = (await keycloak.admin('GET', `clients/${id}`)) as { attributes: object };
    const attributes = { ...client.attributes, 'backchannel.logout.url': `http://127.0.0.1:${(door.address() as AddressInfo).port}/` };
    await keycloak.admin('PUT', `clients/${id}`, { ...client, attributes });
  });
  afterAll(() => door.close());

  const signedIn = async () => {
    const [browser, who] = [world.browser(), visitor('nora')];
    await browser.get(inside(await who.comeBackFrom(await startOf(browser))));
    return { browser, who };
  };
  const isIn = async ({ browser }: Awaited<ReturnType<typeof signedIn>>): Promise<boolean> =>
    (await browser.get('/account/me')).statusCode === 200;

  it('ends here what began there, whether they or an administrator end it', async () => {
    const [one, two, three] = [await signedIn(), await signedIn(), await signedIn()];
    await one.who.signOutAt(`${keycloak.issuer}/protocol/openid-connect/logout`);
    await expect.poll(() => isIn(one)).toBe(false);
    expect([await isIn(two), await isIn(three)]).toEqual([true, true]);
    const { id } = await found('users?username=nora&exact=true');
    // To end all of them at once is one call, too, but Keycloak 26.5 then tells of one session only.
    for (const session of (await keycloak.admin('GET', `users/${id}/sessions`)) as Found[])
      await keycloak.admin('DELETE', `sessions/${session.id}`);
    await expect.poll(async () => [await isIn(two), await isIn(three)]).toEqual([false, false]);
  });
});

/** Whether Keycloak lets somebody in without another look at the password. */
const fetchedWithoutPassword = async (who: Visitor): Promise<boolean> => {
  const start = await startOf(world.browser());
  return !(await who.look(start)).includes('id="kc-form-login"');
};

describe.skipIf(locateSlapd() === undefined)('a directory behind Keycloak (LDAP)', () => {
  let directory: Awaited<ReturnType<typeof testSlapd>>;
  beforeAll(async () => {
    directory = await testSlapd([
      { name: 'lara', password: 'the password in the directory', groups: ['music'] },
      { name: 'lotte', password: 'the password in the directory', groups: ['guests'] },
    ]);
    await federate();
  });
  afterAll(() => directory.stop());

  const federate = async (): Promise<void> => {
    const { suffix, administrator, url } = directory;
    const settings = (values: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]));
    await keycloak.admin('POST', 'components', {
      name: 'directory',
      providerId: 'ldap',
      providerType: 'org.keycloak.storage.UserStorageProvider',
      config: settings({
        enabled: 'true',
        vendor: 'other',
        connectionUrl: url,
        authType: 'simple',
        bindDn: administrator.dn,
        bindCredential: administrator.password,
        usersDn: `ou=people,${suffix}`,
        usernameLDAPAttribute: 'uid',
        rdnLDAPAttribute: 'uid',
        uuidLDAPAttribute: 'entryUUID',
        userObjectClasses: 'inetOrgPerson',
        editMode: 'READ_ONLY',
        importEnabled: 'true',
        trustEmail: 'true',
      }),
    });
    const { id } = await found('components?type=org.keycloak.storage.UserStorageProvider');
    await keycloak.admin('POST', 'components', {
      name: 'groups',
      providerId: 'group-ldap-mapper',
      providerType: 'org.keycloak.storage.ldap.mappers.LDAPStorageMapper',
      parentId: id,
      config: settings({
        'groups.dn': `ou=groups,${suffix}`,
        'group.name.ldap.attribute': 'cn',
        'group.object.classes': 'groupOfNames',
        'membership.ldap.attribute': 'member',
        'membership.attribute.type': 'DN',
        'membership.user.ldap.attribute': 'uid',
        'groups.path': '/',
        mode: 'READ_ONLY',
        'user.roles.retrieve.strategy': 'LOAD_GROUPS_BY_MEMBER_ATTRIBUTE',
      }),
    });
  };

  const withDirectoryPassword = (username: string) => triedBy(visitor(username, { password: 'the password in the directory' }), world);

  it('lets its people in by their groups there', async () => {
    expect(await withDirectoryPassword('lara')).toEqual([303, true, '']);
    expect(world.row('lara')).toMatchObject({ access: 25, email: 'lara@example.org' });
    expect((await withDirectoryPassword('lotte')).slice(0, 2)).toEqual([403, false]);
  });

  it('goes no further with another password', async () => {
    await expect(visitor('lara').comeBackFrom(await startOf(world.browser()))).rejects.toThrow('Invalid username or password');
  });
});
