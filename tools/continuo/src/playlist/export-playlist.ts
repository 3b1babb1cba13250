import { safeFileName } from '@continuo/chassis';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { ManageTypes } from '@continuo/client';
import {
  formatOfName,
  locationOfPath,
  segmentsOfPath,
  uriOfPath,
  writePlaylistFile,
  type PlaylistFileEntry,
  type PlaylistFormat,
} from '@continuo/playlist-files';
import { OperatorError, counted } from '@continuo/operations';
import type { Cli } from '../cli.js';
import type { Api } from '../connect/api.js';
import { findPlaylist, playlistsOf, type Playlist } from './find-playlist.js';

type Song = ManageTypes['schemas']['PlaylistSong'];

/** Options of an export. */
export interface ExportOptions {
  /** File, or folder when several lists are written; the terminal without it. */
  readonly to?: string;
  readonly format?: PlaylistFormat;
  readonly absolute: boolean;
  readonly windows: boolean;
  readonly overwrite: boolean;
}

const MEMBERS_PER_PAGE = 500;

interface Style {
  readonly format: PlaylistFormat;
  readonly base: 'relative' | 'absolute';
  /** Folder of the written list, from the root down. */
  readonly folder: readonly string[];
  readonly separator: '/' | '\\';
}

/** True for placeholders such as `[Unknown Artist]`, which no player should show. */
const isPlaceholder = (name: string): boolean => /^\[unknown .*\]$/i.test(name);

const entryOf = (song: Song, style: Style): PlaylistFileEntry => {
  const file = segmentsOfPath(song.path);
  return {
    locations: [style.format === 'xspf' ? uriOfPath(file, style) : locationOfPath(file, style)],
    title: song.title,
    ...(isPlaceholder(song.album) ? {} : { album: song.album }),
    durationMs: song.durationMs,
    ...(song.artist === '' || isPlaceholder(song.artist) ? {} : { artist: song.artist }),
    ...(song.trackNumber === null ? {} : { trackNumber: song.trackNumber }),
    ...(song.mbRecordingId === null ? {} : { identifiers: [`https://musicbrainz.org/recording/${song.mbRecordingId}`] }),
  };
};

/** Content of the file of a list; members whose song is gone are left out and counted. */
const textOf = async (
  api: Api,
  { id, name, comment }: Playlist,
  style: Style,
): Promise<{ pieces: Generator<string>; count: number; gone: number }> => {
  const members = await api.all((client, cursor) =>
    client.GET('/playlists/{id}/members', { params: { path: { id }, query: { limit: MEMBERS_PER_PAGE, ...cursor } } }),
  );
  const entries = members.flatMap(({ song }) => (song ? [entryOf(song, style)] : []));
  const pieces = writePlaylistFile({ title: name, ...(comment === '' ? {} : { comment }), entries }, style.format);
  return { pieces, count: entries.length, gone: members.length - entries.length };
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
    if (isThere) throw new OperatorError(`${fresh} exists`, '--overwrite replaces it', { cause });
    throw new OperatorError(`${target} cannot be written`, 'is the folder there, and may you write into it?', { cause });
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
    throw new OperatorError(`there is no folder ${path}`, 'make it first', { cause });
  });

const writeOne = async (cli: Cli, api: Api, list: Playlist, { target, ...options }: ExportOptions & { target: string }): Promise<void> => {
  const folder = await folderOf(dirname(target));
  const format = options.format ?? formatOfName(target) ?? 'm3u8';
  const { pieces, count, gone } = await textOf(api, list, styleOf(format, segmentsOfPath(folder), options));
  await writeTo(join(folder, basename(target)), pieces, options.overwrite);
  const lost = gone === 0 ? '' : `; ${counted(gone, 'member')} of it cannot be written, because the song is gone or it is no song`;
  cli.terminal.print(`"${list.name}": ${counted(count, 'song')} in ${target}${lost}`);
};

/** A name for a file that every system takes; two lists of one name differ by their numbers. */
const fileNameOf = ({ id, name }: Playlist, format: PlaylistFormat, isTaken: (name: string) => boolean): string => {
  const bare = safeFileName(name, { maxBytes: 100, whenEmpty: 'playlist' });
  const plain = `${bare}.${format}`;
  return isTaken(plain.toLowerCase()) ? `${bare} (${id}).${format}` : plain;
};

const writeAll = async (cli: Cli, api: Api, options: ExportOptions): Promise<void> => {
  if (options.to === undefined) throw new OperatorError('all playlists need a folder', 'name one with --to');
  const folder = resolve(options.to);
  await mkdir(folder, { recursive: true });
  const taken = new Set<string>();
  for (const list of await playlistsOf(api, {})) {
    const name = fileNameOf(list, options.format ?? 'm3u8', (one) => taken.has(one));
    taken.add(name.toLowerCase());
    await writeOne(cli, api, list, { ...options, target: join(folder, name) });
  }
};

/** `continuo playlist export`: one list to the terminal or a file, or all into a folder. */
export const exportPlaylists = async (cli: Cli, wanted: string, options: ExportOptions): Promise<void> => {
  const api = await cli.api();
  if (wanted === 'all') return writeAll(cli, api, options);
  const list = await findPlaylist(api, wanted);
  if (options.to !== undefined) return writeOne(cli, api, list, { ...options, target: resolve(options.to) });
  const { pieces } = await textOf(api, list, styleOf(options.format ?? 'm3u8', undefined, options));
  cli.terminal.print([...pieces].join('').trimEnd());
};
