import type { AccessLevel, UserId } from '@continuo/contracts';

/** A login password as the log keeps it. */
export interface SealedPassword {
  readonly sealedSha256: string;
  readonly sealedArgon2id: string;
}

/** An API key as the log keeps it. */
export interface SealedApiKey {
  readonly keyId: string;
  readonly name: string;
  readonly sha256: string;
  readonly sealedKey: string;
  readonly issuedAtMs: number;
  /** Every scope when absent. */
  readonly scopes?: string[] | undefined;
  readonly expiresAtMs?: number | undefined;
}

/** A stream token as the log keeps it. */
export interface SealedStreamToken {
  readonly sha256: string;
  readonly sealedToken: string;
  readonly issuedAtMs: number;
}

/** A token that goes to an account's address, as the log keeps it. */
export interface MailedToken {
  readonly tokenSha256: string;
  readonly sealedToken: string;
  readonly expiresAtMs: number;
}

/** An identity at a provider, as the log keeps it. */
export interface LinkedIdentity {
  readonly identityDigest: string;
  readonly issuer: string;
  readonly linkedAtMs: number;
}

/** A new account. */
export interface RegisterCommand {
  readonly type: 'register';
  readonly userId: UserId;
  readonly sealedProfile: string;
  readonly access: AccessLevel;
  readonly fullNamePublic: boolean;
  readonly disabled?: boolean;
  /** Begins disabled, and waits for this. */
  readonly awaiting?: 'confirmation' | 'approval';
  readonly confirmation?: MailedToken;
  readonly password?: SealedPassword;
  readonly sealedCompatPassword?: string;
  readonly apiKey?: SealedApiKey;
  readonly identity?: LinkedIdentity;
}

/** Changes of an account; absent fields stay. */
export interface ChangeCommand {
  readonly type: 'change';
  readonly userId: UserId;
  /** The state that the change was worked out from; `conflict` when it is another one by now. */
  readonly revision?: number;
  readonly profile?: { readonly sealedProfile: string; readonly fullNamePublic: boolean };
  readonly access?: AccessLevel;
  readonly disabled?: boolean;
  readonly maxBitrateBps?: number | null;
  readonly password?: SealedPassword;
  readonly sealedCompatPassword?: string;
  /** Takes the place of the live keys of its name. */
  readonly apiKey?: SealedApiKey;
  readonly streamToken?: SealedStreamToken;
}

interface OfUser {
  readonly userId: UserId;
  readonly revision?: number;
}

/** Commands of the user aggregate. Secrets arrive sealed and hashed: deciding needs no key. */
export type UserCommand =
  | RegisterCommand
  | ChangeCommand
  | ({ readonly type: 'delete' } & OfUser)
  | ({ readonly type: 'issue-api-key'; readonly apiKey: SealedApiKey; readonly most?: number } & OfUser)
  | ({ readonly type: 'revoke-api-key'; readonly keyId: string } & OfUser)
  | ({ readonly type: 'rename-api-key'; readonly keyId: string; readonly name: string } & OfUser)
  | ({ readonly type: 'link-identity'; readonly identity: LinkedIdentity } & OfUser)
  | ({ readonly type: 'unlink-identity'; readonly identityDigest: string } & OfUser)
  | ({ readonly type: 'set-avatar'; readonly artHash: string | null } & OfUser)
  | ({ readonly type: 'confirm-email'; readonly tokenSha256: string; readonly nowMs: number; readonly awaitsApproval: boolean } & OfUser)
  | ({ readonly type: 'request-reset'; readonly token: MailedToken; readonly nowMs: number; readonly pauseMs: number } & OfUser)
  | ({ readonly type: 'reset-password'; readonly tokenSha256: string; readonly nowMs: number; readonly password: SealedPassword } & OfUser);
