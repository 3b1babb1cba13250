import { foldName } from '@continuo/contracts';
import { CliError } from '../connect/cli-error.js';
import type { Session } from '../connect/session.js';

/** A playlist as the commands need it. */
export interface FoundPlaylist {
  readonly id: number;
  readonly name: string;
  readonly comment: string;
  readonly isPublic: boolean;
  /** Name of the account; null for the system's own list. */
  readonly owner: string | null;
  readonly memberCount: number;
  readonly revision: number;
}

const REMEDY = '"continuo playlist list" shows all playlists';

const playlists = ({ db }: Pick<Session, 'db'>) =>
  db
    .selectFrom('library.playlist as p')
    .leftJoin('social.user as u', 'u.id', 'p.owner_id')
    .select([
      'p.id',
      'p.name',
      'p.comment',
      'p.is_public as isPublic',
      'u.username as owner',
      'p.member_count as memberCount',
      'p.revision',
    ])
    .orderBy('p.name_sort')
    .orderBy('p.id');

/** All playlists by name. */
export const allPlaylists = (session: Pick<Session, 'db'>): Promise<FoundPlaylist[]> => playlists(session).execute();

/**
 * The playlist that a person means: a number, or a name in any case.
 * @throws CliError when there is none, or several have the name
 */
export const findPlaylist = async (session: Pick<Session, 'db'>, wanted: string): Promise<FoundPlaylist> => {
  const byNumber = /^\d{1,9}$/.test(wanted) ? await playlists(session).where('p.id', '=', Number(wanted)).executeTakeFirst() : undefined;
  if (byNumber) return byNumber;
  const named = await playlists(session).where('p.name_sort', '=', foldName(wanted)).execute();
  const [first, second] = named;
  if (first === undefined) throw new CliError(`there is no playlist "${wanted}"`, REMEDY);
  if (second !== undefined)
    throw new CliError(`several playlists are called "${wanted}"`, `give a number instead: ${named.map(({ id }) => id).join(', ')}`);
  return first;
};
