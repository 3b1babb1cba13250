import { foldName, type TranscodeItem } from '@continuo/contracts';
import { sql } from 'kysely';
import { OperatorError } from '../connect/operator-error.js';
import type { Session } from '../connect/session.js';
import { findPlaylist } from '../playlists/find-playlist.js';

/** Media of a batch. */
export interface FoundMedia {
  readonly title: string;
  readonly items: readonly TranscodeItem[];
}

/** Kinds of thing whose media can be made ahead. */
export const mediaKinds = ['album', 'playlist', 'artist', 'song', 'video'] as const;
export type MediaKind = (typeof mediaKinds)[number];

/** A thing by its number, or by its name. */
type Wanted = number | string;

interface Named {
  readonly id: number;
  readonly name: string;
}

/** @throws OperatorError when nothing, or more than one thing, is meant */
const theOne = (kind: MediaKind, wanted: Wanted, found: readonly Named[]): Named => {
  const [first, second] = found;
  if (first === undefined)
    throw new OperatorError(`there is no ${kind} "${wanted}"`, `give its number, or its name as the library shows it`, {
      kind: 'not-found',
    });
  if (second !== undefined)
    throw new OperatorError(
      `several of the kind ${kind} are called "${wanted}"`,
      `give a number instead: ${found.map(({ id }) => id).join(', ')}`,
    );
  return first;
};

const namedIn = async ({ db }: Pick<Session, 'db'>, kind: 'album' | 'artist', wanted: Wanted): Promise<Named> => {
  const rows = db.selectFrom(`library.${kind}`).select(['id', 'name']).limit(20);
  const found =
    typeof wanted === 'number'
      ? await rows.where('id', '=', wanted).execute()
      : await rows.where(sql<boolean>`lower(name) = lower(${wanted})`).execute();
  return theOne(kind, wanted, found);
};

const songItems = (rows: readonly { readonly id: number }[]): TranscodeItem[] => rows.map(({ id }) => ({ type: 'song', id }));

const ofAlbum = async (session: Pick<Session, 'db'>, wanted: Wanted): Promise<FoundMedia> => {
  const { id, name } = await namedIn(session, 'album', wanted);
  const songs = await session.db
    .selectFrom('library.song')
    .select('id')
    .where('album_id', '=', id)
    .orderBy('disk')
    .orderBy('track')
    .orderBy('id')
    .execute();
  return { title: name, items: songItems(songs) };
};

const ofArtist = async (session: Pick<Session, 'db'>, wanted: Wanted): Promise<FoundMedia> => {
  const { id, name } = await namedIn(session, 'artist', wanted);
  const songs = await session.db
    .selectFrom('library.song_artist')
    .select('song_id as id')
    .where('artist_id', '=', id)
    .orderBy('song_id')
    .execute();
  return { title: name, items: songItems(songs) };
};

const ofPlaylist = async (session: Pick<Session, 'db'>, wanted: Wanted): Promise<FoundMedia> => {
  const { id, name } = await findPlaylist(session, String(wanted));
  const members = await session.db
    .selectFrom('library.playlist_member as m')
    .innerJoin('library.song as s', 's.id', 'm.object_id')
    .select('s.id')
    .where('m.playlist_id', '=', id)
    .where('m.object_kind', '=', 'song')
    .distinct()
    .orderBy('s.id')
    .execute();
  return { title: name, items: songItems(members) };
};

const ofOne = async ({ db }: Pick<Session, 'db'>, kind: 'song' | 'video', wanted: Wanted): Promise<FoundMedia> => {
  const rows = db.selectFrom(`library.${kind}`).select(['id', 'title as name']).limit(20);
  const found =
    typeof wanted === 'number'
      ? await rows.where('id', '=', wanted).execute()
      : await rows.where('title_sort', '=', foldName(wanted)).execute();
  const { id, name } = theOne(kind, wanted, found);
  return { title: name, items: [{ type: kind, id }] };
};

/**
 * The media that a person means: a thing by its number or its name.
 * @throws OperatorError when there is none or several, or nothing to make in it
 */
export const findMedia = async (session: Pick<Session, 'db'>, kind: MediaKind, wanted: Wanted): Promise<FoundMedia> => {
  const finders = { album: ofAlbum, artist: ofArtist, playlist: ofPlaylist } as const;
  const found = kind === 'song' || kind === 'video' ? await ofOne(session, kind, wanted) : await finders[kind](session, wanted);
  if (found.items.length === 0) throw new OperatorError(`there is nothing to transcode in ${kind} "${wanted}"`, 'choose another one');
  return { ...found, title: found.title.slice(0, 200) || `${kind} ${wanted}` };
};
