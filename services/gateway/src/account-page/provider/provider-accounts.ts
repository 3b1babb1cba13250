import { keyedDigest } from '@continuo/chassis';
import { emailAddress, linkIdentity, registerUser, Rejection, type UserId } from '@continuo/contracts';
import { runCommand } from '../../commands.js';
import type { GatewayServices } from '../../services.js';
import type { Exchange, SignedExchange } from '../exchange.js';
import { accountName } from '../input.js';
import type { ProvenIdentity } from './open-id.js';

const USER = 25;

const textClaim = ({ claims }: ProvenIdentity, name: string): string | undefined => {
  const value = claims[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};

/** @throws Rejection `access.denied` for who is not in the group that is asked for */
const requireGroup = (
  { claims }: ProvenIdentity,
  { OIDC_REQUIRED_GROUP: wanted, OIDC_GROUPS_CLAIM: name }: GatewayServices['config'],
): void => {
  if (wanted === undefined) return;
  const groups = claims[name];
  const isMember = Array.isArray(groups) ? groups.includes(wanted) : groups === wanted;
  if (!isMember) throw new Rejection('access.denied', 'You are not in the group that may use this server.');
};

/** Which accounts identities open. An identity is issuer and subject; names and addresses, which change hands, open nothing. */
export class ProviderAccounts {
  private readonly digest: (text: string) => string;

  constructor(private readonly services: GatewayServices) {
    this.digest = keyedDigest(services.secrets, 'external-identities/v1');
  }

  /**
   * The account that an identity opens, made if there is none and the settings say so.
   * @throws Rejection `access.denied` outside of the group, `auth.failed` when there is none, `user.name-taken`, `input.invalid` for a name that cannot be one
   */
  async accountFor(page: Exchange, identity: ProvenIdentity): Promise<UserId> {
    requireGroup(identity, this.services.config);
    const known = await this.services.auth.web.accountByIdentity(this.digestOf(identity));
    if (known) return known.id;
    if (this.services.config.OIDC_ACCOUNTS === 'create') return this.create(page, identity);
    throw new Rejection(
      'auth.failed',
      'No account is linked with you there. Sign in with your password first, and link it on your account’s page.',
    );
  }

  /** Lets an identity open the account of who is signed in. @throws Rejection `access.denied`, `user.identity-taken` */
  async link(page: SignedExchange, identity: ProvenIdentity): Promise<void> {
    requireGroup(identity, this.services.config);
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
      // Somebody else's account keeps its address; that two have the same says nothing about who they are.
      return this.register(page, account);
    }
  }

  private async register(
    page: Exchange,
    account: Parameters<typeof runCommand<typeof registerUser.schema, typeof registerUser.result>>[3],
  ): Promise<UserId> {
    try {
      return (await runCommand(this.services, page, registerUser, account)).userId;
    } catch (error) {
      if (!(error instanceof Rejection) || error.code !== 'user.name-taken') throw error;
      throw new Rejection(
        'user.name-taken',
        'There is an account of your name already. If it is yours, sign in with its password and link it on your account’s page.',
      );
    }
  }

  /** An address that the provider has not seen to be theirs is not taken: mails about passwords go there. */
  private verifiedEmail(identity: ProvenIdentity): string | undefined {
    if (identity.claims['email_verified'] !== true) return undefined;
    const parsed = emailAddress.safeParse(textClaim(identity, 'email'));
    return parsed.success ? parsed.data : undefined;
  }

  private digestOf({ issuer, subject }: ProvenIdentity): string {
    return this.digest(`${issuer}\n${subject}`);
  }
}
