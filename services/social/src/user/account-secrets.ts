import { keyedDigest, sha256Hex, type Sealer, type UserKeys } from '@continuo/chassis';
import { usernameKey, type UserId, type UserProfile } from '@continuo/contracts';
import { hash } from 'argon2';
import type { SealedApiKey, SealedPassword } from './user.decider.js';

/** Memory and passes of argon2id as OWASP's password storage cheat sheet asks for at least; about 20 ms on one core. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** What the secrets of accounts are kept with. */
export interface AccountSecretsOptions {
  /** The server's secret, for the digests. */
  readonly secret: string;
  readonly sealer: Sealer;
  readonly userKeys: UserKeys;
}

/** An API key as it is asked for. */
export interface ApiKeyRequest {
  readonly userId: UserId;
  /** The command that asks; the same command always gets the same key, so that its retry answers what the first try issued. */
  readonly commandId: string;
  readonly name: string;
  readonly atMs: number;
  /** The key's text, when the caller chose it. */
  readonly key?: string | undefined;
}

/** Turns what people type into what the log may hold. */
export class AccountSecrets {
  private readonly digestOfName: (text: string) => string;
  private readonly digestOfKeyRequest: (text: string) => string;

  constructor(private readonly options: AccountSecretsOptions) {
    this.digestOfName = keyedDigest(options.secret, 'user-names/v1');
    this.digestOfKeyRequest = keyedDigest(options.secret, 'api-keys/v1');
  }

  /** The digest under which a user name is reserved; equal for names that differ in case or spelling form only. */
  nameDigest(username: string): string {
    return this.digestOfName(usernameKey(username));
  }

  /** Seals personal data under the user's own key, which is durable afterwards. */
  async sealProfile(userId: UserId, profile: UserProfile): Promise<string> {
    const sealer = await this.options.userKeys.sealerFor(userId);
    return sealer.seal(JSON.stringify(profile));
  }

  /** The login password: SHA-256 for the handshake and argon2id for the web, both sealed. */
  async sealPassword(password: string): Promise<SealedPassword> {
    const argon2id = await hash(password, ARGON2ID);
    return { sealedSha256: this.options.sealer.seal(sha256Hex(password)), sealedArgon2id: this.options.sealer.seal(argon2id) };
  }

  /** The compatibility API's password, recoverable because its clients send digests over it with a salt of theirs. */
  sealCompatPassword(password: string): string {
    return this.options.sealer.seal(password);
  }

  /** An API key of 256 bits, or the one that the caller chose: its text, to be shown once, and what the log keeps. */
  apiKey({ userId, commandId, name, atMs, key }: ApiKeyRequest): { text: string; kept: SealedApiKey } {
    const text = key ?? this.digestOfKeyRequest(`key ${userId} ${commandId}`);
    const keyId = this.digestOfKeyRequest(`id ${userId} ${commandId}`).slice(0, 32);
    return { text, kept: { keyId, name, sha256: sha256Hex(text), sealedKey: this.options.sealer.seal(text), issuedAtMs: atMs } };
  }
}
