import { sortKey } from '@continuo/contracts';
import { OperatorError } from '../connect/operator-error.js';
import type { Session } from '../connect/session.js';

/** A playlist as the commands need it. */
export interface FoundPlaylist {
  readonly id: number;
  readonly name: string;
}

/**
 * The playlist that a person means: a number, or a name in any case.
 * @throws OperatorError when there is none, or several have the name
 */
export const findPlaylist = async ({ db }: Pick<Session, 'db'>, wanted: string): Promise<FoundPlaylist> => {
  const playlists = db.selectFrom('library.playlist').select(['id', 'name']);
  const byNumber = /^\d{1,9}$/.test(wanted) ? await playlists.where('id', '=', Number(wanted)).executeTakeFirst() : undefined;
  if (byNumber) return byNumber;
  const named = await playlists.where('name_sort', '=', sortKey(wanted)).orderBy('id').execute();
  const [first, second] = named;
  if (first === undefined)
    throw new OperatorError(`there is no playlist "${wanted}"`, '"continuo playlist list" shows all playlists', { kind: 'not-found' });
  if (second !== undefined)
    throw new OperatorError(`several playlists are called "${wanted}"`, `give a number instead: ${named.map(({ id }) => id).join(', ')}`);
  return first;
};
