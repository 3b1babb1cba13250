import { projectEach, type Projection, type UserKeys } from '@continuo/chassis';
import {
  userProfile,
  usernameKey,
  userProfileChanged,
  userRegistered,
  type AdministratorEvent,
  type ApiKeyTable,
  type ExternalIdentityEvent,
  type ExternalIdentityTable,
  type RecordedEvent,
  type UserEmailEvent,
  type UserEvent,
  type UserId,
  type UserNameEvent,
  type UserProfile,
  type UserTable,
} from '@continuo/contracts';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';

interface Tables {
  user: UserTable;
  api_key: ApiKeyTable;
  external_identity: ExternalIdentityTable;
}

const ddl = [
  `create table "user" (
    id integer primary key,
    username text not null,
    username_key text not null,
    full_name text,
    full_name_public boolean not null,
    email text,
    website text,
    city text,
    state text,
    access integer not null,
    disabled boolean not null,
    created_at_ms bigint not null,
    sealed_password_sha256 text,
    sealed_password_argon2id text,
    sealed_compat_password text,
    password_set_at_ms bigint,
    max_bitrate_bps integer,
    awaiting text,
    stream_token_sha256 text,
    sealed_stream_token text,
    avatar_hash text
  )`,
  // Not a unique index: the reservation in the log keeps names unique, and a projection must take whatever the log holds.
  'create index user_by_username_key on "user" (username_key, id)',
  `create table api_key (
    key_id text primary key,
    user_id integer not null,
    name text not null,
    sha256 text not null,
    sealed_key text not null,
    issued_at_ms bigint not null,
    scopes text[],
    expires_at_ms bigint
  )`,
  'create index api_key_by_sha256 on api_key (sha256)',
  'create index api_key_by_user on api_key (user_id, issued_at_ms, key_id)',
  `create table external_identity (
    identity_digest text primary key,
    user_id integer not null,
    issuer text not null,
    linked_at_ms bigint not null
  )`,
  'create index external_identity_by_user on external_identity (user_id)',
];

/** Personal data of an account as its row shows it. */
type PersonalColumns = Pick<UserTable, 'username' | 'username_key' | 'full_name' | 'email' | 'website' | 'city' | 'state'>;

const personalColumns = (profile: UserProfile): PersonalColumns => ({
  username: profile.username,
  username_key: usernameKey(profile.username),
  full_name: profile.fullName ?? null,
  email: profile.email ?? null,
  website: profile.website ?? null,
  city: profile.city ?? null,
  state: profile.state ?? null,
});

/**
 * A row without personal data. Its comparable name begins with a space, which no real name does, so that nobody can log in by it or
 * register it.
 */
const impersonalColumns = (userId: UserId, word: 'deleted' | 'unreadable'): PersonalColumns => ({
  ...personalColumns({ username: `${word}-${userId}` }),
  username_key: ` ${word}-${userId}`,
});

/** The profile's columns ride on the event from `prepare` to `project`. */
interface Opened {
  readonly opened?: PersonalColumns;
}

const openedOf = (event: RecordedEvent<UserEvent>, userId: UserId): PersonalColumns =>
  (event as Opened).opened ?? impersonalColumns(userId, 'unreadable');

const open = async (event: RecordedEvent, keys: UserKeys, log: Logger): Promise<PersonalColumns> => {
  const { userId, sealedProfile } = event.data as { userId: UserId; sealedProfile: string };
  const key = await keys.find(userId);
  if (key.state === 'absent') return impersonalColumns(userId, 'deleted');
  try {
    if (key.state === 'present') return personalColumns(userProfile.parse(JSON.parse(key.sealer.open(sealedProfile))));
  } catch (err) {
    log.error({ err, userId }, 'failed to decrypt a profile');
    return impersonalColumns(userId, 'unreadable');
  }
  log.error({ userId }, 'the key of a profile was made under another CONTINUO_SECRET; the account is shown without its name');
  return impersonalColumns(userId, 'unreadable');
};

const hasProfile = (event: RecordedEvent): boolean => event.type === userRegistered.type || event.type === userProfileChanged.type;

const set = (db: Kysely<Tables>, userId: UserId, columns: Partial<UserTable>) => [
  db.updateTable('user').set(columns).where('id', '=', userId),
];

const projecting = projectEach<UserEvent | UserNameEvent | UserEmailEvent | ExternalIdentityEvent | AdministratorEvent, Tables>({
  UserRegistered: (event, db) => {
    const { userId, access, fullNamePublic, awaiting = null } = event.data;
    const row = {
      ...openedOf(event, userId),
      access,
      full_name_public: fullNamePublic,
      disabled: false,
      created_at_ms: event.at,
      awaiting,
    };
    const insert = db.insertInto('user').values({ id: userId, ...row });
    return [insert.onConflict((conflict) => conflict.column('id').doUpdateSet(row))];
  },
  UserProfileChanged: (event, db) =>
    set(db, event.data.userId, { ...openedOf(event, event.data.userId), full_name_public: event.data.fullNamePublic }),
  UserAccessChanged: ({ data }, db) => set(db, data.userId, { access: data.access }),
  UserDisabled: ({ data }, db) => set(db, data.userId, { disabled: true }),
  // Whoever lets an account in has agreed to it.
  UserEnabled: ({ data }, db) => set(db, data.userId, { disabled: false, awaiting: null }),
  UserBitrateLimited: ({ data }, db) => set(db, data.userId, { max_bitrate_bps: data.maxBitrateBps }),
  UserAvatarSet: ({ data }, db) => set(db, data.userId, { avatar_hash: data.artHash }),
  EmailConfirmed: ({ data }, db) => set(db, data.userId, { awaiting: data.awaitsApproval ? 'approval' : null }),
  UserPasswordSet: ({ data, at }, db) =>
    set(db, data.userId, {
      sealed_password_sha256: data.sealedSha256,
      sealed_password_argon2id: data.sealedArgon2id,
      password_set_at_ms: at,
    }),
  CompatPasswordSet: ({ data }, db) => set(db, data.userId, { sealed_compat_password: data.sealedPassword }),
  StreamTokenIssued: ({ data }, db) => set(db, data.userId, { stream_token_sha256: data.sha256, sealed_stream_token: data.sealedToken }),
  UserDeleted: ({ data }, db) => [
    db.deleteFrom('api_key').where('user_id', '=', data.userId),
    db.deleteFrom('external_identity').where('user_id', '=', data.userId),
    db.deleteFrom('user').where('id', '=', data.userId),
  ],
  ApiKeyIssued: ({ data }, db) => {
    const row = {
      user_id: data.userId,
      name: data.name,
      sha256: data.sha256,
      sealed_key: data.sealedKey,
      issued_at_ms: data.issuedAtMs,
      scopes: data.scopes ?? null,
      expires_at_ms: data.expiresAtMs ?? null,
    };
    const insert = db.insertInto('api_key').values({ key_id: data.keyId, ...row });
    return [insert.onConflict((conflict) => conflict.column('key_id').doUpdateSet(row))];
  },
  ApiKeyRevoked: ({ data }, db) => [db.deleteFrom('api_key').where('key_id', '=', data.keyId)],
  ApiKeyRenamed: ({ data }, db) => [db.updateTable('api_key').set({ name: data.name }).where('key_id', '=', data.keyId)],
  ExternalIdentityLinked: ({ data }, db) => {
    const row = { user_id: data.userId, issuer: data.issuer, linked_at_ms: data.linkedAtMs };
    const insert = db.insertInto('external_identity').values({ identity_digest: data.identityDigest, ...row });
    return [insert.onConflict((conflict) => conflict.column('identity_digest').doUpdateSet(row))];
  },
  ExternalIdentityUnlinked: ({ data }, db) => [db.deleteFrom('external_identity').where('identity_digest', '=', data.identityDigest)],
  // What is kept for the deciders' sake alone; the rows learn names and addresses from the profile, and who is an administrator from the level.
  UserNameReserved: () => [],
  UserNameReleased: () => [],
  UserEmailReserved: () => [],
  UserEmailReleased: () => [],
  ExternalIdentityReserved: () => [],
  ExternalIdentityReleased: () => [],
  AdministratorNamed: () => [],
  AdministratorDismissed: () => [],
  // Tokens stay in the log: they are nobody's business but the handler's.
  EmailConfirmationRequested: () => [],
  PasswordResetRequested: () => [],
});

/**
 * The accounts and API keys of the read model; a deleted account has no row. Profiles are opened with the users' keys; an account whose key alone
 * is gone keeps its row, without personal data, as `deleted-<id>`.
 */
export const accountsProjection = (keys: UserKeys, log: Logger): Projection<Tables> => ({
  name: 'social-accounts',
  version: 4,
  context: 'identity',
  publishedSchema: 'social',
  publishes: ['user', 'api_key', 'external_identity'],
  ddl,
  ...projecting,
  prepare: (events) =>
    Promise.all(events.map(async (event) => (hasProfile(event) ? { ...event, opened: await open(event, keys, log) } : event))),
});
