import type { AnnotatedKind } from './social.js';

/** Schema `social`: who follows whom, what people did lately and what they wrote, published by the social service. */

/** Accounts that are followed. */
export interface FollowTable {
  /** Follower. */
  user_id: number;
  followed_id: number;
  followed_at_ms: number;
}

/**
 * Activities that still hold: a rating, a favourite, an account followed. Each has one entry, of the last time; what is taken back has none. Plays and shouts have tables
 * of their own.
 */
export interface ActivityTable {
  /** Position in the log of the event that it comes from. */
  id: number;
  user_id: number;
  action: 'rating' | 'userflag' | 'follow';
  kind: AnnotatedKind | 'user';
  object_id: number;
  at_ms: number;
}

/** Comments on things, for everybody to read. */
export interface ShoutTable {
  /** Position in the log; the shout's public id. */
  id: number;
  user_id: number;
  /** Its number among its author's. */
  number: number;
  kind: AnnotatedKind;
  object_id: number;
  text: string;
  at_ms: number;
}

/** The chat of the last weeks. */
export interface ChatMessageTable {
  /** Position in the log. */
  id: number;
  user_id: number;
  text: string;
  at_ms: number;
}
