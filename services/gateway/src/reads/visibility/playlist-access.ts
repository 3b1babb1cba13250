import { sql, type SqlBool, type RawBuilder } from 'kysely';
import type { Viewer } from './viewer.js';

/*
 * Decides who may see and change playlists and smartlists. A list has an owner, may be public,
 * and may have collaborators.
 */

/** Owner, visibility and collaborators of a list. */
export interface ListTerms {
  /** Null: the system's own list. */
  readonly ownerId: number | null;
  readonly isPublic: boolean;
  readonly collaboratorIds: readonly number[];
}

/** Rights of a viewer on a list. */
export interface ListRights {
  /** See it and what is in it. */
  readonly open: boolean;
  /** Change what is in it. */
  readonly collaborate: boolean;
  /** Change its terms, and end it. */
  readonly own: boolean;
}

/** Returns the rights of a viewer on a list. */
export const rightsOf = (viewer: Viewer, { ownerId, isPublic, collaboratorIds }: ListTerms): ListRights => {
  const own = viewer.isAdministrator === true || ownerId === viewer.userId;
  const collaborate = own || collaboratorIds.includes(viewer.userId);
  return { open: isPublic || collaborate, collaborate, own };
};

const column = (alias: string, name: string) => sql.ref(`${alias}.${name}`);

/** Lists that are public, the account's own or shared with it, as rows under an alias: those that it finds listed and can search. */
export const isListedFor = (userId: number, alias = 't'): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${column(alias, 'is_public')} or ${column(alias, 'owner_id')} = ${userId}::bigint or ${column(alias, 'collaborator_ids')} @> array[${userId}]::bigint[])`;

/** Lists that the viewer can open when it knows their number; {@link rightsOf} as a condition. */
export const mayOpen = (viewer: Viewer, alias = 't'): RawBuilder<SqlBool> =>
  viewer.isAdministrator ? sql<SqlBool>`true` : isListedFor(viewer.userId, alias);
