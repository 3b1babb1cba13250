import type { sharedKinds } from '../messages/events/share.events.js';

/** Kinds of things that can be shared. `search` is a smartlist. */
export type SharedKind = (typeof sharedKinds)[number];

/** Shares that stand, also those that have expired. Published by the social service in the schema `social`. */
export interface ShareTable {
  id: number;
  user_id: number;
  kind: SharedKind;
  /** The first of the shared things. */
  object_id: number;
  /** All of them, the first included, in their order. */
  object_ids: number[];
  description: string;
  allow_stream: boolean;
  allow_download: boolean;
  created_at_ms: number;
  /** Null: never. */
  expires_at_ms: number | null;
  /** 0: no limit. */
  max_visits: number;
  visit_count: number;
  last_visited_at_ms: number | null;
  /** Lower-case hex SHA-256 of the secret. */
  secret_sha256: string;
  sealed_secret: string;
}
