import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { SongDocument } from '@continuo/contracts';
import {
  formatOfName,
  locationOfPath,
  segmentsOfPath,
  uriOfPath,
  writePlaylistFile,
  type PlaylistFileEntry,
  type PlaylistFormat,
} from '@continuo/playlist-files';
import type { Cli } from '../cli.js';
import { CliError } from '../connect/cli-error.js';
import type { Session } from '../connect/session.js';
import { counted } from '../output/table.js';
import { allPlaylists, findPlaylist, type FoundPlaylist } from './find-playlist.js';

/** How lists are written. */
export interface ExportOptions {
  /** File, or folder when several lists are written; the terminal without it. */
  readonly to?: string;
  readonly format?: PlaylistFormat;
  readonly absolute: boolean;
  readonly windows: boolean;
  readonly overwrite: boolean;
}

/** Members of one look. */
const MEMBERS_PER_PAGE = 2000;

interface Style {
  readonly format: PlaylistFormat;
  readonly base: 'relative' | 'absolute';
  /** Folder of the written list, from the root down. */
  readonly folder: readonly string[];
  readonly separator: '/' | '\\';
}

/** What stands where a file names nobody and nothing, as `[Unknown Artist]`: no player should show it. */
const isPlaceholder = (name: string): boolean => /^\[unknown .*\]$/i.test(name);

const entryOf = (doc: SongDocument, root: string, style: Style): PlaylistFileEntry => {
  const file = segmentsOfPath(`${root}/${doc.path}`);
  const artist = doc.displayArtist ?? doc.artists.map(({ name }) => name).join(', ');
  return {
    locations: [style.format === 'xspf' ? uriOfPath(file, style) : locationOfPath(file, style)],
    title: doc.title,
    ...(isPlaceholder(doc.album.name) ? {} : { album: doc.album.name }),
    durationMs: doc.durationMs,
    ...(artist === '' || isPlaceholder(artist) ? {} : { artist }),
    ...(doc.track > 0 ? { trackNumber: doc.track } : {}),
    ...(doc.mbid === undefined ? {} : { identifiers: [`https://musicbrainz.org/recording/${doc.mbid}`] }),
  };
};

/** The songs of a list in order, page by page; members whose song is gone are left out and counted. */
const entriesOf = async ({ db }: Session, list: FoundPlaylist, style: Style): Promise<{ entries: PlaylistFileEntry[]; gone: number }> => {
  const entries: PlaylistFileEntry[] = [];
  let gone = 0;
  for (let rank = 0; ;) {
    const page = await db
      .selectFrom('library.playlist_member as m')
      .leftJoin('library.song as s', (join_) => join_.onRef('s.id', '=', 'm.object_id').on('m.object_kind', '=', 'song'))
      .leftJoin('library.catalog as c', 'c.id', 's.catalog_id')
      .select(['m.rank', 's.doc', 'c.path'])
      .where('m.playlist_id', '=', list.id)
      .where('m.rank', '>', rank)
      .orderBy('m.rank')
      .limit(MEMBERS_PER_PAGE)
      .execute();
    for (const { doc, path } of page) {
      if (doc === null || path === null) gone += 1;
      else entries.push(entryOf(JSON.parse(doc) as SongDocument, path, style));
    }
    const last = page.at(-1);
    if (last === undefined || page.length < MEMBERS_PER_PAGE) return { entries, gone };
    rank = last.rank;
  }
};

const textOf = async (
  session: Session,
  list: FoundPlaylist,
  style: Style,
): Promise<{ pieces: Generator<string>; count: number; gone: number }> => {
  const { entries, gone } = await entriesOf(session, list, style);
  const comment = list.comment === '' ? {} : { comment: list.comment };
  return { pieces: writePlaylistFile({ title: list.name, ...comment, entries }, style.format), count: entries.length, gone };
};

/** Writes a file that is not there yet. */
const writeNew = async (target: string, pieces: Iterable<string>): Promise<void> => {
  const stream = createWriteStream(target, { flags: 'wx' });
  await once(stream, 'open');
  try {
    for (const piece of pieces) if (!stream.write(piece)) await once(stream, 'drain');
    stream.end();
    await once(stream, 'close');
  } catch (error) {
    stream.destroy();
    await rm(target, { force: true });
    throw error;
  }
};

/** Writes a list; one that is replaced is so at once, never half. */
const writeTo = async (target: string, pieces: Iterable<string>, overwrite: boolean): Promise<void> => {
  const fresh = overwrite ? `${target}.${process.pid}.part` : target;
  try {
    await writeNew(fresh, pieces);
    if (overwrite) await rename(fresh, target);
  } catch (cause) {
    const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    if (isThere) throw new CliError(`${fresh} exists`, '--overwrite replaces it', { cause });
    throw new CliError(`${target} cannot be written`, 'is the folder there, and may you write into it?', { cause });
  }
};

const styleOf = (format: PlaylistFormat, folder: readonly string[] | undefined, options: ExportOptions): Style => ({
  format,
  base: options.absolute || folder === undefined ? 'absolute' : 'relative',
  folder: folder ?? [],
  separator: options.windows ? '\\' : '/',
});

const folderOf = async (path: string): Promise<string> =>
  realpath(path).catch((cause: unknown) => {
    throw new CliError(`there is no folder ${path}`, 'make it first', { cause });
  });

const writeOne = async (
  cli: Cli,
  session: Session,
  list: FoundPlaylist,
  { target, ...options }: ExportOptions & { target: string },
): Promise<void> => {
  const folder = await folderOf(dirname(target));
  const format = options.format ?? formatOfName(target) ?? 'm3u8';
  const { pieces, count, gone } = await textOf(session, list, styleOf(format, segmentsOfPath(folder), options));
  await writeTo(join(folder, basename(target)), pieces, options.overwrite);
  const lost = gone === 0 ? '' : `; ${counted(gone, 'member')} of it cannot be written, because the song is gone or it is no song`;
  cli.terminal.print(`"${list.name}": ${counted(count, 'song')} in ${target}${lost}`);
};

/** A name for a file that every system takes; two lists of one name differ by their numbers. */
const fileNameOf = ({ id, name }: FoundPlaylist, format: PlaylistFormat, isTaken: (name: string) => boolean): string => {
  const bare =
    name
      .replace(/[<>:"/\\|?*\p{Cc}]+/gu, '_')
      .replace(/^[\s.]+|[\s.]+$/g, '')
      .slice(0, 100) || 'playlist';
  const plain = `${bare}.${format}`;
  return isTaken(plain.toLowerCase()) || /^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(bare) ? `${bare} (${id}).${format}` : plain;
};

const writeAll = async (cli: Cli, session: Session, options: ExportOptions): Promise<void> => {
  if (options.to === undefined) throw new CliError('all playlists need a folder', 'name one with --to');
  const folder = resolve(options.to);
  await mkdir(folder, { recursive: true });
  const taken = new Set<string>();
  for (const list of await allPlaylists(session)) {
    const name = fileNameOf(list, options.format ?? 'm3u8', (one) => taken.has(one));
    taken.add(name.toLowerCase());
    await writeOne(cli, session, list, { ...options, target: join(folder, name) });
  }
};

/** `continuo playlist export`: one list to the terminal or a file, or all into a folder. */
export const exportPlaylists = (cli: Cli, wanted: string, options: ExportOptions): Promise<void> =>
  cli.withSession(async (session) => {
    if (wanted === 'all') return writeAll(cli, session, options);
    const list = await findPlaylist(session, wanted);
    if (options.to !== undefined) return writeOne(cli, session, list, { ...options, target: resolve(options.to) });
    const { pieces } = await textOf(session, list, styleOf(options.format ?? 'm3u8', undefined, options));
    cli.terminal.print([...pieces].join('').trimEnd());
  });
