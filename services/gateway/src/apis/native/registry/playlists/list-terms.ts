import { MAX_PLAYLIST_NAME } from '@continuo/contracts';
import { BAD, badValue, NativeRefusal, oneOf } from '../../errors/native-fault.js';

/*
 * Parameters that playlists and smartlists share.
 */

/** Parses a list name without control characters. @throws NativeRefusal 4710 for an empty or too long one */
export const nameOf = (text: string): string => {
  const name = text.toWellFormed().replaceAll('\0', '').trim();
  if (name === '' || name.length > MAX_PLAYLIST_NAME)
    throw badValue('name', text, `must be a name of 1 to ${MAX_PLAYLIST_NAME} characters`);
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

/** Builds the refusal of a request that changes nothing. */
export const nothingChanges = (): NativeRefusal => new NativeRefusal(4710, 'input', `${BAD}a parameter must change something`);
