import { keyedDigest } from '@continuo/chassis';
import { emailAddress, linkIdentity, registerUser, Rejection, type UserId } from '@continuo/contracts';
import { runAndAwaitReadModel, runCommand } from '../../../server/commands.js';
import type { Exchange, SignedExchange } from '../exchange.js';
import { accountName } from '../input.js';
import type { ProvenIdentity } from './open-id.js';
import type { HasAuth } from '../../../auth/auth.js';
import type { HasCommands, HasConfig, HasLog, HasSecrets } from '../../../server/needs.js';

type Services = HasAuth & HasCommands & HasConfig & HasLog & HasSecrets;

const USER = 25;

const textClaim = ({ claims }: ProvenIdentity, name: string): string | undefined => {
  const value = claims[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};

/** @throws Rejection `access.denied` outside of the required group */
const requireGroup = ({ claims }: ProvenIdentity, { config, log }: HasConfig & HasLog): void => {
  const { OIDC_REQUIRED_GROUP: wanted, OIDC_GROUPS_CLAIM: name, OIDC_SCOPES: scopes } = config;
  if (wanted === undefined) return;
  const groups = claims[name];
  if (groups === undefined)
    log.warn(
      { claim: name, scopes },
      'The identity provider names no groups; nobody is let in until OIDC_SCOPES and OIDC_GROUPS_CLAIM fit it',
    );
  const isMember = Array.isArray(groups) ? groups.includes(wanted) : groups === wanted;
  if (!isMember) throw new Rejection('access.denied', 'You are not in the group that may use this server.');
};

/** Finds the accounts of identities. An identity is issuer and subject; names and mail addresses, which change owners, are ignored. */
export class ProviderAccounts {
  private readonly digest: (text: string) => string;

  constructor(private readonly services: Services) {
    this.digest = keyedDigest(services.secrets, 'external-identities/v1');
  }

  /**
   * Finds the account of an identity; creates one if the settings say so.
   * @throws Rejection `access.denied` outside of the group, `auth.failed` without an account, `user.name-taken`, `input.invalid` for an
   * impossible name
   */
  async accountFor(page: Exchange, identity: ProvenIdentity): Promise<UserId> {
    requireGroup(identity, this.services);
    const known = await this.known(identity);
    if (known !== undefined) return known;
    if (this.services.config.OIDC_ACCOUNTS === 'create') return this.create(page, identity);
    throw new Rejection(
      'auth.failed',
      'No account is linked with you there. Sign in with your password first, and link it on your account’s page.',
    );
  }

  /** The account that an identity opens; undefined when it opens none. */
  async known(identity: Pick<ProvenIdentity, 'issuer' | 'subject'>): Promise<UserId | undefined> {
    return (await this.services.auth.web.accountByIdentity(this.digestOf(identity)))?.id;
  }

  /** Links an identity with the signed-in account. @throws Rejection `access.denied`, `user.identity-taken` */
  async link(page: SignedExchange, identity: ProvenIdentity): Promise<void> {
    requireGroup(identity, this.services);
    const data = { userId: page.caller.account.id, identityDigest: this.digestOf(identity), issuer: identity.issuer };
    await runCommand(this.services, page, linkIdentity, data);
  }

  private async create(page: Exchange, identity: ProvenIdentity): Promise<UserId> {
    const { OIDC_USERNAME_CLAIM: claim } = this.services.config;
    const username = textClaim(identity, claim);
    if (username === undefined) throw new Rejection('auth.failed', `The identity provider did not tell your name (claim ${claim}).`);
    const fullName = textClaim(identity, 'name')?.slice(0, 255);
    const account = {
      username: accountName(username),
      access: USER,
      identity: { identityDigest: this.digestOf(identity), issuer: identity.issuer },
      ...(fullName === undefined ? {} : { fullName }),
    } as const;
    const email = this.verifiedEmail(identity);
    try {
      return await this.register(page, email === undefined ? account : { ...account, email });
    } catch (error) {
      if (!(error instanceof Rejection) || error.code !== 'user.email-taken') throw error;
      // An address of another account is not taken over: equal addresses do not prove equal people.
      return this.register(page, account);
    }
  }

  private async register(
    page: Exchange,
    account: Parameters<typeof runCommand<typeof registerUser.schema, typeof registerUser.result>>[3],
  ): Promise<UserId> {
    try {
      // A session opens only for an account that the read model shows.
      return (await runAndAwaitReadModel(this.services, page, { command: registerUser }, account)).userId;
    } catch (error) {
      if (!(error instanceof Rejection) || error.code !== 'user.name-taken') throw error;
      throw new Rejection(
        'user.name-taken',
        'There is an account of your name already. If it is yours, sign in with its password and link it on your account’s page.',
      );
    }
  }

  /** Only a verified address is used, since password-reset mails go there. */
  private verifiedEmail(identity: ProvenIdentity): string | undefined {
    if (identity.claims['email_verified'] !== true) return undefined;
    const parsed = emailAddress.safeParse(textClaim(identity, 'email'));
    return parsed.success ? parsed.data : undefined;
  }

  private digestOf({ issuer, subject }: Pick<ProvenIdentity, 'issuer' | 'subject'>): string {
    return this.digest(`${issuer}\n${subject}`);
  }
}
