import { randomUUID } from 'node:crypto';
import { sha256Hex } from '@continuo/chassis';
import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import {
  changeUser,
  issueApiKey,
  linkIdentity,
  recoverPassword,
  registerUser,
  Rejection,
  renameApiKey,
  revokeApiKey,
  setAvatar,
  unlinkIdentity,
  userId,
  usernameKey,
  type ApiKeyTable,
  type ExternalIdentityTable,
  type UserTable,
} from '@continuo/contracts';
import { hash } from 'argon2';
import type { Logger } from 'pino';
import { authFixture, keyRow, NOON, ruleRow, SECRET, sealer, userRow, type AuthFixture } from '../auth/auth.fixture.js';
import type { AuthSettings } from '../../src/auth/auth-settings.js';
import type { CredentialRows } from '../../src/auth/credentials/credential-snapshot.js';
import type { Operations } from '../../src/features/operations/operations.js';
import type { GatewayConfig } from '../../src/server/config.js';
import { testReadModel, type TestReadModel } from '../servers/read-model-database.js';
import { startTestGateway, type TestGateway } from '../servers/test-gateway.js';

/** The passwords of the fixture's accounts. */
export const PASSWORDS = {
  ada: 'adas own password',
  bob: 'bobs own password',
  eve: 'eves own password',
  gus: 'everybodys password',
} as const;
const handled = <R>(result: R): { result: R; positions: [] } => ({ result, positions: [] });
/** Little memory, so that specs are quick; the hash says so itself. */
const sealedHash = async (password: string): Promise<string> =>
  sealer.seal(await hash(sha256Hex(password), { memoryCost: 1024, timeCost: 2, parallelism: 1 }));
const withPassword = async (row: Parameters<typeof userRow>[0], password: string): Promise<UserTable> =>
  userRow({ ...row, sealed_password_argon2id: await sealedHash(password) }, { password });

/** Options of {@link PageWorld}. */
export interface PageWorldOptions {
  readonly auth?: Partial<AuthSettings>;
  readonly settings?: Partial<GatewayConfig>;
  readonly log?: Logger;
  readonly operations?: Operations;
}

/**
 * A gateway with its own authentication over accounts that can be changed: commands change the rows at once, as the social service and its projection
 * do on a running server. ada is an administrator, bob a user, eve disabled, gus a guest.
 */
export class PageWorld {
  readonly commands = new InMemoryCommandClient();
  /** Proofs of lost passwords that were handed on. */
  readonly recoveries: string[] = [];
  users: UserTable[] = [];
  apiKeys: ApiKeyTable[] = [];
  identities: ExternalIdentityTable[] = [];
  accessRules = [ruleRow({ id: 1 }), ruleRow({ id: 2, type: 'stream' }), ruleRow({ id: 3, type: 'interface' })];

  private constructor(
    readonly model: TestReadModel,
    readonly fixture: AuthFixture,
  ) {}

  gateway!: TestGateway;

  static async start({ auth = {}, settings = {}, log, operations }: PageWorldOptions = {}): Promise<PageWorld> {
    const proxies = settings.TRUSTED_PROXIES === undefined ? {} : { TRUSTED_PROXIES: settings.TRUSTED_PROXIES };
    const world = new PageWorld(await testReadModel(), authFixture({ ...auth, ...proxies }));
    world.users = [
      await withPassword({ id: 1, username: 'ada', access: 100, email: 'ada@example.org' }, PASSWORDS.ada),
      await withPassword({ id: 2, username: 'bob', full_name: '<b>Bob</b> "x"', email: 'bob@example.org' }, PASSWORDS.bob),
      await withPassword({ id: 3, username: 'eve', disabled: true }, PASSWORDS.eve),
      await withPassword({ id: 4, username: 'gus', access: 5 }, PASSWORDS.gus),
    ];
    world.apiKeys = [keyRow(2, 'bobs-own-key-of-old')];
    world.answer();
    await world.sync();
    world.gateway = await startTestGateway(world.model.read, {
      auth: world.fixture.auth,
      commands: world.commands,
      sealer,
      now: () => world.fixture.clock.nowMs,
      settings: { CONTINUO_SECRET: SECRET, ...settings },
      ...(log ? { log } : {}),
      ...(operations ? { operations } : {}),
    });
    return world;
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
    await this.model.close();
  }

  /** A browser without cookies. */
  browser(options: BrowserOptions = {}): PageBrowser {
    return new PageBrowser(this, options);
  }

  /** A browser in which somebody has signed in. */
  async signedIn(username: keyof typeof PASSWORDS, options: BrowserOptions = {}): Promise<PageBrowser> {
    const browser = this.browser(options);
    await browser.get('/account/login');
    const answer = await browser.post('/account/login', { username, password: PASSWORDS[username] });
    if (answer.statusCode !== 303) throw new Error(`${username} cannot sign in: ${answer.statusCode}`);
    await browser.get('/account/me');
    return browser;
  }

  row(username: string): UserTable {
    const row = this.users.find((user) => user.username_key === usernameKey(username));
    if (!row) throw new Error(`there is no ${username}`);
    return row;
  }

  /** Changes an account and lets everybody know. */
  async change(id: number, columns: Partial<UserTable>): Promise<void> {
    if (!this.users.some((user) => user.id === id)) throw new Rejection('user.not-found');
    this.users = this.users.map((user) => (user.id === id ? { ...user, ...columns } : user));
    await this.sync();
  }

  private async sync(): Promise<void> {
    const { write } = this.model;
    for (const table of ['social.user', 'social.api_key', 'social.external_identity'] as const) await write.deleteFrom(table).execute();
    await write.insertInto('social.user').values(this.users).execute();
    if (this.apiKeys.length > 0) await write.insertInto('social.api_key').values(this.apiKeys).execute();
    if (this.identities.length > 0) await write.insertInto('social.external_identity').values(this.identities).execute();
    const { users, apiKeys, identities, accessRules } = this;
    this.fixture.change({ users, apiKeys, identities, accessRules, catalogGroups: { members: [], catalogs: [] } } satisfies CredentialRows);
  }

  private answer(): void {
    this.answerAccounts();
    this.answerCredentials();
  }

  private answerAccounts(): void {
    this.commands
      .handle(registerUser, async ({ data }) => {
        const key = usernameKey(data.username);
        if (this.users.some((user) => user.username_key === key)) throw new Rejection('user.name-taken', undefined, 'username');
        if (data.email !== undefined && this.users.some(({ email }) => email === data.email)) throw new Rejection('user.email-taken');
        const row = {
          id: this.users.length + 1,
          username: data.username,
          access: data.access,
          email: data.email ?? null,
          full_name: data.fullName ?? null,
        };
        if (data.identity) this.link(row.id, data.identity);
        this.users = [...this.users, data.password === undefined ? userRow(row) : await withPassword(row, data.password)];
        await this.sync();
        return handled({ userId: userId.parse(row.id) });
      })
      .handle(changeUser, async ({ data }) => {
        const key = data.username === undefined ? undefined : usernameKey(data.username);
        if (this.users.some(({ id, username_key }) => id !== data.userId && username_key === key))
          throw new Rejection('user.name-taken', undefined, 'username');
        const text = (value: string | undefined) => (value === undefined ? undefined : value || null);
        const columns: Record<string, unknown> = {
          username: data.username,
          username_key: key,
          full_name: text(data.fullName),
          email: text(data.email),
          website: text(data.website),
          city: text(data.city),
          state: text(data.state),
          full_name_public: data.fullNamePublic,
          sealed_compat_password: data.compatPassword === undefined ? undefined : sealer.seal(data.compatPassword),
          sealed_stream_token: data.resetStreamToken ? sealer.seal(`stream-${randomUUID()}`) : undefined,
          ...(data.password === undefined
            ? {}
            : {
                sealed_password_sha256: sealer.seal(sha256Hex(data.password)),
                sealed_password_argon2id: await sealedHash(data.password),
                password_set_at_ms: this.fixture.clock.nowMs,
              }),
        };
        await this.change(data.userId, Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)));
        return handled({});
      })
      .handle(setAvatar, async ({ data }) => handled((await this.change(data.userId, { avatar_hash: data.artHash }), {})));
  }

  private answerCredentials(): void {
    const keyOf = (id: number, keyId: string): ApiKeyTable => {
      const key = this.apiKeys.find((one) => one.user_id === id && one.key_id === keyId);
      if (!key) throw new Rejection('input.invalid', `no such API key: ${keyId}`, 'keyId');
      return key;
    };
    this.commands
      .handle(issueApiKey, async ({ data }) => {
        const text = randomUUID();
        const keyId = `key-${this.commands.sent.length}`;
        this.apiKeys = [...this.apiKeys, { ...keyRow(data.userId, text, keyId), name: data.name }];
        await this.sync();
        return handled({ keyId, key: text });
      })
      .handle(renameApiKey, async ({ data }) => {
        const key = keyOf(data.userId, data.keyId);
        this.apiKeys = this.apiKeys.map((one) => (one === key ? { ...one, name: data.name } : one));
        return handled((await this.sync(), {}));
      })
      .handle(revokeApiKey, async ({ data }) => {
        const key = keyOf(data.userId, data.keyId);
        this.apiKeys = this.apiKeys.filter((one) => one !== key);
        return handled((await this.sync(), {}));
      })
      .handle(linkIdentity, async ({ data }) => {
        this.link(data.userId, data);
        return handled((await this.sync(), {}));
      })
      .handle(unlinkIdentity, async ({ data }) => {
        this.identities = this.identities.filter(({ identity_digest }) => identity_digest !== data.identityDigest);
        return handled((await this.sync(), {}));
      })
      .handle(recoverPassword, async ({ data }) => handled((this.recoveries.push(data.proof), {})));
  }

  private link(id: number, { identityDigest, issuer }: { readonly identityDigest: string; readonly issuer: string }): void {
    const known = this.identities.find(({ identity_digest }) => identity_digest === identityDigest);
    if (known && known.user_id !== id) throw new Rejection('user.identity-taken', undefined, 'identity');
    if (!known) this.identities = [...this.identities, { identity_digest: identityDigest, user_id: id, issuer, linked_at_ms: NOON }];
  }
}

/** Address that a page leads on to by itself. */
export const leadsTo = ({ body }: { readonly body: string }): string =>
  (/http-equiv="refresh" content="0;url=(?<url>[^"]*)"/.exec(body)?.groups?.['url'] ?? '').replaceAll('&amp;', '&');

/** Address and headers of a browser. */
export interface BrowserOptions {
  readonly address?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Injected = Awaited<ReturnType<TestGateway['app']['inject']>>;

/** A browser that keeps cookies and knows the mark of the last page. */
export class PageBrowser {
  readonly cookies = new Map<string, string>();
  mark = '';

  constructor(
    private readonly world: PageWorld,
    private readonly options: BrowserOptions,
  ) {}

  get(url: string, headers: Record<string, string> = {}): Promise<Injected> {
    return this.send({ method: 'GET', url, headers });
  }

  /** Sends a form with the mark of the last page, unless the fields have another. */
  post(url: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}): Promise<Injected> {
    const payload = new URLSearchParams({ mark: this.mark, ...fields }).toString();
    return this.send({ method: 'POST', url, payload, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } });
  }

  /** Uploads a picture. */
  upload(url: string, bytes: Buffer, mark = this.mark): Promise<Injected> {
    const boundary = 'a-boundary-of-the-spec';
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="mark"\r\n\r\n${mark}\r\n--${boundary}\r\ncontent-disposition: form-data; name="picture"; filename="x"\r\ncontent-type: image/png\r\n\r\n`;
    const payload = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
    return this.send({ method: 'POST', url, payload, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } });
  }

  private async send(request: {
    method: 'GET' | 'POST';
    url: string;
    payload?: string | Buffer;
    headers: Record<string, string>;
  }): Promise<Injected> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await this.world.gateway.app.inject({
      ...request,
      remoteAddress: this.options.address ?? '192.0.2.7',
      headers: { 'user-agent': 'Spec Browser', ...(cookie === '' ? {} : { cookie }), ...this.options.headers, ...request.headers },
    });
    for (const { name, value, maxAge, expires } of answer.cookies) {
      if (maxAge === 0 || (expires && expires.getTime() === 0)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    this.mark = /name="mark" value="(?<mark>[0-9a-f]+)"/.exec(answer.body)?.groups?.['mark'] ?? this.mark;
    return answer;
  }
}
