import type { PlayerEntry, PlayerItem } from '@continuo/contracts';
import { mediaOf } from '../media-address.js';
import type { QueuePage } from '../player.js';
import { MpdRefused, type MpdSession } from './mpd-session.js';
import { fieldsOf, mpdCommand, objectsOf, type MpdPair } from './mpd-text.js';

/** Marker of the entry that still plays although the queue was replaced: it is hidden, and removed once something else plays. */
const LEAVING = 'continuo: leaving the queue';
/** The tag that holds the mark; tags can be set for what is played over the network alone. */
const MARK_TAG = 'Grouping';

type Fields = ReadonlyMap<string, string>;

/** A whole number of an answer; undefined when it is missing. */
export const wholeOf = (fields: Fields, name: string): number | undefined => {
  const text = fields.get(name);
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
};

const entryOf = (fields: Fields): PlayerEntry => {
  const text = (name: string): string => fields.get(name) ?? '';
  return { url: text('file'), title: text('Title') || text('Name'), artist: text('Artist'), album: text('Album') };
};

/** Sends a command; undefined when MPD refuses it, as it does with positions behind the end of the queue. */
const ifAny = async (session: MpdSession, command: string): Promise<readonly MpdPair[]> => {
  try {
    return (await session.run(command)).flat();
  } catch (error) {
    if (error instanceof MpdRefused) return [];
    throw error;
  }
};

/** The entry that MPD would go on with, or plays. */
export const currentEntry = async (session: MpdSession): Promise<PlayerEntry | null> => {
  const [song] = objectsOf(await ifAny(session, 'currentsong'), 'file');
  return song ? entryOf(song) : null;
};

/**
 * Number of hidden entries at the head of MPD's queue: one while the song playing has been left out of the queue, else none. An entry left out that
 * plays no more is taken away here.
 */
export const hiddenEntries = async (session: MpdSession, playing: number | undefined): Promise<0 | 1> => {
  const [head] = objectsOf(await ifAny(session, 'playlistinfo 0:1'), 'file');
  if (head?.get(MARK_TAG) !== LEAVING) return 0;
  if (playing === 0) return 1;
  await ifAny(session, mpdCommand('deleteid', wholeOf(head, 'Id') ?? 0));
  return 0;
};

/** A part of the queue. `hidden` is what {@link hiddenEntries} answers. */
export const readQueue = async (session: MpdSession, { offset, limit }: QueuePage, hidden: number): Promise<PlayerEntry[]> => {
  if (limit === 0) return [];
  const from = offset + hidden;
  return objectsOf(await ifAny(session, `playlistinfo ${from}:${from + limit}`), 'file').map(entryOf);
};

const tagsOf = ({ title, artist, album }: PlayerItem): [tag: string, value: string][] =>
  [
    ['Title', title],
    ['Artist', artist],
    ['Album', album],
  ].flatMap(([tag = '', value = '']) => (value === '' ? [] : [[tag, value]]));

/** Tells MPD what things are called. An operator may have told it to keep fewer tags: those are left out, and what is queued plays all the same. */
const nameItems = async (session: MpdSession, names: readonly { readonly tag: string; readonly command: string }[]): Promise<void> => {
  let left = names;
  while (left.length > 0) {
    try {
      await session.run(...left.map(({ command }) => command));
      return;
    } catch (error) {
      if (!(error instanceof MpdRefused)) throw error;
      const { commandIndex } = error.refusal;
      const refused = left[commandIndex]?.tag;
      left = left.slice(commandIndex + 1).filter(({ tag }) => tag !== refused);
    }
  }
};

/** Queues things; from a place on, else behind what is there. MPD learns what they are called, as it cannot know before it plays them. */
export const addItems = async (session: MpdSession, items: readonly PlayerItem[], at?: number): Promise<void> => {
  const replies = await session.run(
    ...items.map(({ url }, n) => (at === undefined ? mpdCommand('addid', url) : mpdCommand('addid', url, at + n))),
  );
  const names = replies.flatMap((reply, n) => {
    const id = wholeOf(fieldsOf(reply), 'Id');
    const item = items[n];
    return id === undefined || !item ? [] : tagsOf(item).map(([tag, value]) => ({ tag, command: mpdCommand('addtagid', id, tag, value) }));
  });
  await nameItems(session, names);
};

/** Takes every entry away but the one at `index`. */
const keepOnly = async (session: MpdSession, index: number): Promise<void> => {
  await ifAny(session, `delete ${index + 1}:`);
  if (index > 0) await session.run(`delete 0:${index}`);
};

/** Makes the queue a list. What plays goes on: in its new place when the list has it, else unseen, until something else plays. */
export const replaceQueue = async (session: MpdSession, items: readonly PlayerItem[], playing: number | undefined): Promise<void> => {
  const [kept] = playing === undefined ? [] : objectsOf(await ifAny(session, `playlistinfo ${playing}`), 'file');
  if (playing === undefined || !kept) {
    await session.run('clear');
    return addItems(session, items);
  }
  const media = mediaOf(kept.get('file') ?? '');
  const place = items.findIndex(({ url }) => mediaOf(url) === media);
  await keepOnly(session, playing);
  if (place < 0) {
    await ifAny(session, mpdCommand('addtagid', wholeOf(kept, 'Id') ?? 0, MARK_TAG, LEAVING));
    return addItems(session, items);
  }
  await ifAny(session, mpdCommand('cleartagid', wholeOf(kept, 'Id') ?? 0, MARK_TAG));
  await addItems(session, items.slice(0, place), 0);
  return addItems(session, items.slice(place + 1));
};
