import type { UserId } from '@continuo/contracts';

/*
 * Terms of lists that belong to accounts: playlists, smartlists, collections, and the folders that they are filed in.
 */

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/** Only what is given and differs, so that saying the same again is no event. */
export const differing = <T extends object>(terms: T, changes: { readonly [K in keyof T]?: T[K] | undefined }): Partial<T> =>
  Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => value !== undefined && !isSame(value, terms[name as keyof T])),
  ) as Partial<T>;

/** Owner and permissions of a list. */
export interface Ownership {
  /** Null: the system. */
  readonly ownerId: UserId | null;
  readonly isPublic: boolean;
  readonly collaboratorIds: readonly UserId[];
}

/** Outcome for a list when an account is deleted: unchanged, ended, or other owners. */
export type Left = 'as it is' | 'ended' | { readonly ownerId?: null; readonly collaboratorIds?: UserId[] };

/** A list without an account that is gone: what somebody made for others stays, and belongs to the system; what only they could see goes with them. */
export const withoutAccount = ({ ownerId, isPublic, collaboratorIds }: Ownership, userId: UserId): Left => {
  const others = collaboratorIds.filter((id) => id !== userId);
  const left = others.length < collaboratorIds.length ? { collaboratorIds: others } : {};
  if (ownerId !== userId) return others.length < collaboratorIds.length ? left : 'as it is';
  return !isPublic && others.length === 0 ? 'ended' : { ownerId: null, ...left };
};
