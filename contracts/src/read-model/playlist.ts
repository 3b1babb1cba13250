import type { playlistMemberKinds } from '../messages/events/playlist.events.js';

/** Views of schema `library` about playlists. All times are epoch milliseconds. */

/** Kinds of things that a playlist can hold. */
export type PlaylistMemberKind = (typeof playlistMemberKinds)[number];

/**
 * The lists that there are. Who may open one: everybody when it is public, its owner, its collaborators, administrators. What is in it is for each viewer
 * what of its members they may see.
 */
export interface PlaylistTable {
  id: number;
  /** Null: the system's own list. */
  owner_id: number | null;
  name: string;
  /** Folded name without leading article, under collation "C". */
  name_sort: string;
  is_public: boolean;
  /** Empty for none. */
  comment: string;
  collaborator_ids: number[];
  created_at_ms: number;
  /** When its terms or its members last changed. */
  updated_at_ms: number;
  /** Counts the changes of its members. */
  revision: number;
  /** All members, whether they are there at the moment or not. */
  member_count: number;
}

/** Members of lists. A member stays when its song is deleted, and is seen again when the song comes back. */
export interface PlaylistMemberTable {
  playlist_id: number;
  /** Number of the member within its list, for life. */
  entry: number;
  /** Order within the list; has gaps. */
  rank: number;
  object_kind: PlaylistMemberKind;
  object_id: number;
  added_at_ms: number;
}
