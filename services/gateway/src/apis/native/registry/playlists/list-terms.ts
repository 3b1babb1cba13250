import { MAX_PLAYLIST_NAME, userId, type UserId } from '@continuo/contracts';
import { userByIdOrName } from '../../../../reads/people/users.reads.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import { BAD, badValue, NativeRefusal, oneOf } from '../../errors/native-fault.js';
import type { CallerCall } from '../../method.js';
import { orNotFound } from '../../named-object.js';

/*
 * Parameters that playlists, smartlists and collections share.
 */

/** Parses a list name without control characters. @throws NativeRefusal 4710 for an empty or too long one */
export const nameOf = (text: string, longest = MAX_PLAYLIST_NAME): string => {
  const name = text.toWellFormed().replaceAll('\0', '').trim();
  if (name === '' || name.length > longest) throw badValue('name', text, `must be a name of 1 to ${longest} characters`);
  return name;
};

/** True for a parameter that says something. */
export const isGiven = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

/** Whether a list is public; undefined when the parameter does not say it. @throws NativeRefusal 4710 */
export const typeOf = (text: string | undefined): boolean | undefined => {
  if (!isGiven(text)) return undefined;
  const type = text.trim().toLowerCase();
  if (type !== 'public' && type !== 'private') throw badValue('type', text, oneOf(['public', 'private']));
  return type === 'public';
};

type Reader = Pick<CallerCall<unknown, HasReadModel>, 'services'>;

/** Account of a parameter, by id or name. @throws NativeRefusal 4704 with the parameter */
export const accountOf = async ({ services }: Reader, parameter: string, text: string): Promise<UserId> =>
  userId.parse(orNotFound(await userByIdOrName(services.db, text.trim()), text, parameter).id);

/** Accounts of `collaborate`, by id or name, as a comma list; empty removes all. @throws NativeRefusal 4710, 4704 */
export const collaboratorsOf = async (reader: Reader, text: string | undefined, most: number): Promise<UserId[] | undefined> => {
  if (text === undefined) return undefined;
  const names = text.split(',').filter((name) => name.trim() !== '');
  if (names.length > most) throw badValue('collaborate', `${names.length} accounts`, `must be ${most} accounts at most`);
  const ids: UserId[] = [];
  for (const name of names) ids.push(await accountOf(reader, 'collaborate', name));
  return [...new Set(ids)];
};

/** Builds the refusal of a request that changes nothing. */
export const nothingChanges = (): NativeRefusal => new NativeRefusal(4710, 'input', `${BAD}a parameter must change something`);
