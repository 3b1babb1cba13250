import type { annotatedKinds } from '../messages/events/annotation.events.js';

/**
 * Schema `social`: accounts, credentials and access rules, published by the social service. `sealed_*` values open with the server's secret only.
 */
export interface UserTable {
  id: number;
  username: string;
  /** Case-folded, unique. */
  username_key: string;
  full_name: string | null;
  full_name_public: boolean;
  email: string | null;
  website: string | null;
  city: string | null;
  state: string | null;
  access: number;
  disabled: boolean;
  created_at_ms: number;
  /** Sealed lower-case hex SHA-256 of the login password. */
  sealed_password_sha256: string | null;
  sealed_password_argon2id: string | null;
  sealed_compat_password: string | null;
  /** When the login password was last set; sessions that were opened by it before are over. */
  password_set_at_ms: number | null;
  /** Highest bit rate at which media are sent, bit/s; null = no limit. */
  max_bitrate_bps: number | null;
  /** Condition that an account that signed up waits for. */
  awaiting: 'confirmation' | 'approval' | null;
  /** Lower-case hex SHA-256 of the stream token. */
  stream_token_sha256: string | null;
  sealed_stream_token: string | null;
  /** SHA-256 of the picture in the art store. */
  avatar_hash: string | null;
}

export interface ApiKeyTable {
  key_id: string;
  user_id: number;
  name: string;
  /** Lower-case hex SHA-256 of the key's text. */
  sha256: string;
  sealed_key: string;
  issued_at_ms: number;
  /** Null: every scope. */
  scopes: readonly string[] | null;
  /** From then on the key opens nothing; null: it does not expire. */
  expires_at_ms: number | null;
}

/** By which identity of which provider an account can be logged in to. */
export interface ExternalIdentityTable {
  /** Keyed digest of issuer and subject, lower-case hex. */
  identity_digest: string;
  user_id: number;
  issuer: string;
  linked_at_ms: number;
}

export interface AccessRuleTable {
  id: number;
  name: string;
  level: number;
  user_id: number | null;
  type: 'rpc' | 'stream' | 'interface' | 'network';
  start_address: string;
  end_address: string;
  enabled: boolean;
}

/** Kinds of things that carry ratings and favourites. `search` is a smartlist. */
export type AnnotatedKind = (typeof annotatedKinds)[number];

/** Ratings that stand: a rating that was taken back has no row. */
export interface RatingTable {
  user_id: number;
  kind: AnnotatedKind;
  object_id: number;
  /** 1 to 5. */
  rating: number;
  rated_at_ms: number;
}

/** Averages over all accounts, kept beside the ratings. */
export interface RatingAverageTable {
  kind: AnnotatedKind;
  object_id: number;
  rating_count: number;
  rating_sum: number;
}

/** Where in the log the latest rating of a kind stands: as long as it is the same, so are the averages. A kind that was never rated has no row. */
export interface RatingVersionTable {
  kind: AnnotatedKind;
  position: number;
}

/** Favourites that stand. */
export interface UserFlagTable {
  user_id: number;
  kind: AnnotatedKind;
  object_id: number;
  flagged_at_ms: number;
}
