import { keyedDigest, sha256Hex, signer, type Sealer, type ServerSecret, type UserKeys } from '@continuo/chassis';
import { Rejection, userProfile, usernameKey, type UserId, type UserProfile } from '@continuo/contracts';
import { hash } from 'argon2';
import type { MailedToken, SealedApiKey, SealedPassword, SealedStreamToken } from './user-commands.js';

/** Memory and passes of argon2id as OWASP's password storage cheat sheet asks for at least; about 20 ms on one core. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** 160 bits: no session token, which has 128, looks like one of these. */
const STREAM_TOKEN_LENGTH = 40;

/** Options of account secrets. */
export interface AccountSecretsOptions {
  /** The server's secret, for the digests. */
  readonly secret: ServerSecret;
  readonly sealer: Sealer;
  readonly userKeys: UserKeys;
}

/** Account and command that ask for a secret: the same command always gets the same secret, so that its retry answers what the first try made. */
export interface SecretRequest {
  readonly userId: UserId;
  readonly commandId: string;
  readonly atMs: number;
}

/** An API key as it is asked for. */
export interface ApiKeyRequest extends SecretRequest {
  readonly name: string;
  /** The key's text, when the caller chose it. */
  readonly key?: string | undefined;
  /** Every scope when absent. */
  readonly scopes?: string[] | undefined;
  readonly expiresAtMs?: number | undefined;
}

/** A password as it comes: its text, or what the native API's clients make of it. */
export interface GivenPassword {
  readonly password?: string | undefined;
  readonly passwordSha256?: string | undefined;
}

/** The form in which mail addresses are compared and kept unique. */
const emailKey = (email: string): string => email.normalize('NFKC').trim().toLowerCase();

/** Turns what people type into what the log may hold. */
export class AccountSecrets {
  private readonly digestOfName: (text: string) => string;
  private readonly digestOfEmail: (text: string) => string;
  private readonly digestOfKeyRequest: (text: string) => string;
  private readonly digestOfMailRequest: (text: string) => string;

  constructor(private readonly options: AccountSecretsOptions) {
    this.digestOfName = keyedDigest(options.secret, 'user-names/v1');
    this.digestOfEmail = keyedDigest(options.secret, 'user-emails/v1');
    this.digestOfKeyRequest = signer(options.secret, 'api-keys/v1').mark;
    this.digestOfMailRequest = signer(options.secret, 'mailed-tokens/v1').mark;
  }

  /** The digest under which a user name is reserved; equal for names that differ in case or spelling form only. */
  nameDigest(username: string): string {
    return this.digestOfName(usernameKey(username));
  }

  /** The same for a mail address. */
  emailDigest(email: string): string {
    return this.digestOfEmail(emailKey(email));
  }

  /** Seals personal data under the user's own key, which is durable afterwards. */
  async sealProfile(userId: UserId, profile: UserProfile): Promise<string> {
    const sealer = await this.options.userKeys.sealerFor(userId);
    return sealer.seal(JSON.stringify(profile));
  }

  /** Opens personal data; undefined when the user's key is gone or was made under another server secret. */
  async openProfile(userId: UserId, sealedProfile: string): Promise<UserProfile | undefined> {
    const key = await this.options.userKeys.find(userId);
    return key.state === 'present' ? userProfile.parse(JSON.parse(key.sealer.open(sealedProfile))) : undefined;
  }

  /** Destroys the user's key: what was sealed under it is unreadable from then on. Doing it twice is harmless. */
  forget(userId: UserId): Promise<void> {
    return this.options.userKeys.destroy(userId);
  }

  /** The login password: SHA-256 for the handshake and an argon2id hash of it for the web, both sealed; undefined when none is given. */
  sealPassword(given: { readonly password: string }): Promise<SealedPassword>;
  sealPassword(given: GivenPassword): Promise<SealedPassword | undefined>;
  async sealPassword({ password, passwordSha256 }: GivenPassword): Promise<SealedPassword | undefined> {
    const sha256 = password === undefined ? passwordSha256?.toLowerCase() : sha256Hex(password);
    if (sha256 === undefined) return undefined;
    const argon2id = await hash(sha256, ARGON2ID);
    return { sealedSha256: this.options.sealer.seal(sha256), sealedArgon2id: this.options.sealer.seal(argon2id) };
  }

  /** The compatibility API's password, recoverable because its clients send digests over it with a salt of theirs. */
  sealCompatPassword(password: string): string {
    return this.options.sealer.seal(password);
  }

  /** An API key of 256 bits, or the one that the caller chose: its text, to be shown once, and what the log keeps. */
  apiKey({ userId, commandId, name, atMs, key, scopes, expiresAtMs }: ApiKeyRequest): { text: string; kept: SealedApiKey } {
    const text = key ?? this.digestOfKeyRequest(`key ${userId} ${commandId}`);
    const keyId = this.digestOfKeyRequest(`id ${userId} ${commandId}`).slice(0, 32);
    const terms = { ...(scopes ? { scopes } : {}), ...(expiresAtMs === undefined ? {} : { expiresAtMs }) };
    return { text, kept: { keyId, name, sha256: sha256Hex(text), sealedKey: this.options.sealer.seal(text), issuedAtMs: atMs, ...terms } };
  }

  /** A token for streaming alone. */
  streamToken({ userId, commandId, atMs }: SecretRequest): SealedStreamToken {
    const text = this.digestOfKeyRequest(`stream ${userId} ${commandId}`).slice(0, STREAM_TOKEN_LENGTH);
    return { sha256: sha256Hex(text), sealedToken: this.options.sealer.seal(text), issuedAtMs: atMs };
  }

  /** A token of 256 bits for a mail; it names its account, so that it is found without a search. */
  mailedToken({ userId, commandId, atMs }: SecretRequest, lifetimeMs: number): MailedToken {
    const text = `${userId}-${this.digestOfMailRequest(`${userId} ${commandId}`)}`;
    return { tokenSha256: sha256Hex(text), sealedToken: this.options.sealer.seal(text), expiresAtMs: atMs + lifetimeMs };
  }

  /** The text of a token that is to be mailed. */
  openToken(sealedToken: string): string {
    return this.options.sealer.open(sealedToken);
  }
}

const MAILED_TOKEN = /^(?<user>[1-9]\d{0,9})-[0-9a-f]{64}$/;

/** Which account a mailed token is of, and what it is looked up by; undefined for a text that is none. */
export const readMailedToken = (token: string): { readonly userId: UserId; readonly tokenSha256: string } | undefined => {
  const user = MAILED_TOKEN.exec(token)?.groups?.['user'];
  return user === undefined ? undefined : { userId: Number(user) as UserId, tokenSha256: sha256Hex(token) };
};

/** @throws Rejection `unavailable` when a profile that has to be changed cannot be read */
export const unreadableProfile = (): Rejection =>
  new Rejection('unavailable', 'the account was made under another CONTINUO_SECRET; its profile cannot be read');
