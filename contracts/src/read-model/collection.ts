import type { collectedKinds } from '../messages/events/collection.events.js';
import type { filedKinds } from '../messages/events/playlist-folder.events.js';

/** Views of schema `library` about collections and about the folders in which people keep their lists. All times are epoch milliseconds. */

/** Kinds of things that a collection can hold. */
export type CollectedKind = (typeof collectedKinds)[number];

/** The collections that there are. Who may open one: everybody when it is public, its owner, its collaborators, administrators. */
export interface CollectionTable {
  id: number;
  /** Null: the system's own. */
  owner_id: number | null;
  name: string;
  /** Lower-case name without accents, under collation "C". */
  name_sort: string;
  is_public: boolean;
  collaborator_ids: number[];
  /** The only kind that it takes; null = any. */
  object_kind: CollectedKind | null;
  created_at_ms: number;
  /** When its terms or its members last changed. */
  updated_at_ms: number;
  /** All members, whether they are there at the moment or not. */
  member_count: number;
}

/** Members of collections. A member stays when its object is gone, and is seen again when that comes back. */
export interface CollectionMemberTable {
  collection_id: number;
  /** Number of the member within its collection, for life, and its place: members are ordered by it. */
  entry: number;
  object_kind: CollectedKind;
  object_id: number;
}

/** Kinds of lists that can be filed in a folder. */
export type FiledKind = (typeof filedKinds)[number];

/** Folders of lists; everybody has a tree of their own. */
export interface PlaylistFolderTable {
  user_id: number;
  /** Counts up within the account. */
  id: number;
  /** 0: the root. */
  parent_id: number;
  name: string;
  sort_order: number;
}

/** Folder in which an account has filed a list; one that is not named is in the root. A row stays when its list is deleted. */
export interface PlaylistFilingTable {
  user_id: number;
  list_kind: FiledKind;
  list_id: number;
  folder_id: number;
  sort_order: number;
}
