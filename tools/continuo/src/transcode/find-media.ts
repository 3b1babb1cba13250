import { foldName, type TranscodeItem } from '@continuo/contracts';
import { sql } from 'kysely';
import { CliError } from '../connect/cli-error.js';
import type { Session } from '../connect/session.js';
import { findPlaylist } from '../playlist/find-playlist.js';

/** What a batch is made of. */
export interface FoundMedia {
  readonly title: string;
  readonly items: readonly TranscodeItem[];
}

/** Kinds of thing whose media can be made ahead. */
export const mediaKinds = ['album', 'playlist', 'artist', 'song', 'video'] as const;
export type MediaKind = (typeof mediaKinds)[number];

const isNumber = (wanted: string): boolean => /^\d{1,9}$/.test(wanted);

interface Named {
  readonly id: number;
  readonly name: string;
}

/** @throws CliError when nothing, or more than one thing, is meant */
const theOne = (kind: MediaKind, wanted: string, found: readonly Named[]): Named => {
  const [first, second] = found;
  if (first === undefined) throw new CliError(`there is no ${kind} "${wanted}"`, `give its number, or its name as the library shows it`);
  if (second !== undefined)
    throw new CliError(
      `several of the kind ${kind} are called "${wanted}"`,
      `give a number instead: ${found.map(({ id }) => id).join(', ')}`,
    );
  return first;
};

const namedIn = async ({ db }: Pick<Session, 'db'>, kind: 'album' | 'artist', wanted: string): Promise<Named> => {
  const rows = db.selectFrom(`library.${kind}`).select(['id', 'name']).limit(20);
  const found = isNumber(wanted)
    ? await rows.where('id', '=', Number(wanted)).execute()
    : await rows.where(sql<boolean>`lower(name) = lower(${wanted})`).execute();
  return theOne(kind, wanted, found);
};

const songItems = (rows: readonly { readonly id: number }[]): TranscodeItem[] => rows.map(({ id }) => ({ type: 'song', id }));

const ofAlbum = async (session: Pick<Session, 'db'>, wanted: string): Promise<FoundMedia> => {
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

const ofArtist = async (session: Pick<Session, 'db'>, wanted: string): Promise<FoundMedia> => {
  const { id, name } = await namedIn(session, 'artist', wanted);
  const songs = await session.db
    .selectFrom('library.song_artist')
    .select('song_id as id')
    .where('artist_id', '=', id)
    .orderBy('song_id')
    .execute();
  return { title: name, items: songItems(songs) };
};

const ofPlaylist = async (session: Pick<Session, 'db'>, wanted: string): Promise<FoundMedia> => {
  const { id, name } = await findPlaylist(session, wanted);
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

const ofOne = async ({ db }: Pick<Session, 'db'>, kind: 'song' | 'video', wanted: string): Promise<FoundMedia> => {
  const rows = db.selectFrom(`library.${kind}`).select(['id', 'title as name']).limit(20);
  const found = isNumber(wanted)
    ? await rows.where('id', '=', Number(wanted)).execute()
    : await rows.where('title_sort', '=', foldName(wanted)).execute();
  const { id, name } = theOne(kind, wanted, found);
  return { title: name, items: [{ type: kind, id }] };
};

/**
 * The media that a person means: a thing by its number or its name.
 * @throws CliError when there is none or several, or nothing to make in it
 */
export const findMedia = async (session: Pick<Session, 'db'>, kind: MediaKind, wanted: string): Promise<FoundMedia> => {
  const finders = { album: ofAlbum, artist: ofArtist, playlist: ofPlaylist } as const;
  const found = kind === 'song' || kind === 'video' ? await ofOne(session, kind, wanted) : await finders[kind](session, wanted);
  if (found.items.length === 0) throw new CliError(`there is nothing to transcode in ${kind} "${wanted}"`, 'choose another one');
  return { ...found, title: found.title.slice(0, 200) || `${kind} ${wanted}` };
};
