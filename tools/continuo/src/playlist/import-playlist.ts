import { realpath, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import {
  addPlaylistMembers,
  createPlaylist,
  foldName,
  MAX_PLAYLIST_NAME,
  playlistId,
  replacePlaylistMembers,
  type LogPosition,
  type UserId,
} from '@continuo/contracts';
import {
  DEFAULT_LIMITS,
  PlaylistFileFault,
  readAndMatch,
  writePlaylistFile,
  type MatchedPlaylistFile,
  type MatchWay,
  type MissReason,
  type PlaylistFaultReason,
} from '@continuo/playlist-files';
import type { Cli } from '../cli.js';
import { CliError } from '../connect/cli-error.js';
import type { Session } from '../connect/session.js';
import { counted, formatCount, formatTable } from '../output/table.js';
import { userNamed } from '../user/find-user.js';
import { findPlaylist, type FoundPlaylist } from './find-playlist.js';

/** How lists are read in. */
export interface ImportOptions {
  /** An account, or `system`. */
  readonly owner: string;
  readonly name?: string;
  readonly public: boolean;
  /** Number or name of a list whose members the file's replace. */
  readonly into?: string;
  /** Number or name of a list that the file's songs are added to. */
  readonly addTo?: string;
  readonly encoding?: string;
  readonly dryRun: boolean;
  readonly again: boolean;
  /** File that takes the entries without a song. */
  readonly unmatched?: string;
  readonly allUnmatched: boolean;
}

/** Songs of one command, far below what a message holds. */
const SONGS_PER_COMMAND = 50_000;
const UNMATCHED_SHOWN = 20;
const READABLE_WITHIN_MS = 10_000;
const COMMAND_TIMEOUT_MS = 60_000;

const ways: Readonly<Record<MatchWay, string>> = {
  path: 'by path',
  'path-end': 'by the end of the path',
  recording: 'by recording',
  tags: 'by artist and title',
  'file-name': 'by file name',
  title: 'by title and length',
};
const reasons: Readonly<Record<MissReason, string>> = {
  'not-found': 'no such song',
  remote: 'elsewhere on the network',
  several: 'several songs fit',
  'says-nothing': 'names nothing',
};
/** What to do about a file that is refused as a whole. */
const remedies: Readonly<Record<PlaylistFaultReason, string>> = {
  'too-large': 'is it really a playlist',
  'too-many-entries': 'import it in parts',
  binary: 'is it really a playlist',
  stream: 'a playlist names songs',
  malformed: 'write it anew with the program that made it, or as M3U8',
  'unknown-encoding': '--encoding takes names like windows-1252, shift_jis or utf-16le',
};

const bytesOf = async (path: string): Promise<Buffer> => {
  const unreadable = (cause: unknown): never => {
    throw new CliError(`${path} cannot be read`, 'is it a file, and may you read it?', { cause });
  };
  const { size } = await stat(path).catch(unreadable);
  if (size > DEFAULT_LIMITS.maxBytes) throw new CliError(`${path} is too large for a playlist`, 'is it really one?');
  return readFile(path).catch(unreadable);
};

const match = async ({ db }: Session, path: string, encoding: string | undefined): Promise<MatchedPlaylistFile> => {
  const bytes = await bytesOf(path);
  const folder = dirname(await realpath(path));
  return readAndMatch(db, bytes, { fileName: basename(path), folder, encoding }).catch((cause: unknown) => {
    if (!(cause instanceof PlaylistFileFault)) throw cause;
    throw new CliError(`${path}: ${cause.message}`, remedies[cause.reason], { cause });
  });
};

const entriesText = (count: number): string => (count === 1 ? '1 entry' : `${formatCount(count)} entries`);

const say = (cli: Cli, path: string, { report, content, encoding, format, notices }: MatchedPlaylistFile): void => {
  const found = Object.entries(report.byWay).map(([way, count]) => `${formatCount(count)} ${ways[way as MatchWay]}`);
  cli.terminal.print(
    `${path}: ${format}, ${encoding}, ${formatCount(report.songIds.length)} of ${entriesText(content.entries.length)} found` +
      (found.length > 0 ? ` (${found.join(', ')}).` : '.'),
  );
  for (const { line, message } of notices) cli.terminal.warn(line > 0 ? `Line ${line}: ${message}` : message);
};

const sayUnmatched = (cli: Cli, { report }: MatchedPlaylistFile, shown: number): void => {
  const { unmatched } = report;
  if (unmatched.length === 0) return;
  const rows = unmatched.slice(0, shown).map(({ number, entry, match: { reason } }) => {
    const says = [entry.artist, entry.title].filter((text) => text !== undefined).join(' - ');
    return [number, entry.locations[0] ?? '', says, reasons[reason]];
  });
  cli.terminal.print(formatTable(['Entry', 'Place', 'Says', 'Why not'], rows));
  if (rows.length < unmatched.length)
    cli.terminal.print(`… and ${formatCount(unmatched.length - rows.length)} more; --all-unmatched lists them.`);
};

/** Sends what a command does in pieces; answers the last place in the log. */
const addAll = async ({ commands, context }: Session, id: number, songIds: readonly number[]): Promise<readonly LogPosition[]> => {
  let last: readonly LogPosition[] = [];
  for (let at = 0; at < songIds.length; at += SONGS_PER_COMMAND) {
    const members = [{ objectIds: songIds.slice(at, at + SONGS_PER_COMMAND) }];
    const { positions } = await commands.send(addPlaylistMembers, { playlistId: playlistId.parse(id), members }, context(), {
      timeoutMs: COMMAND_TIMEOUT_MS,
    });
    last = positions;
  }
  return last;
};

interface Owner {
  readonly id: UserId | null;
  readonly name: string;
}

const ownerOf = async (session: Session, name: string): Promise<Owner> =>
  name.toLowerCase() === 'system' ? { id: null, name: 'the system' } : { id: await userNamed(session, name), name };

const refuseSecond = async ({ db }: Session, owner: Owner, name: string): Promise<void> => {
  const twin = await db
    .selectFrom('library.playlist')
    .select('id')
    .where('name_sort', '=', foldName(name))
    .where('owner_id', owner.id === null ? 'is' : '=', owner.id)
    .executeTakeFirst();
  if (twin)
    throw new CliError(
      `${owner.name} has a playlist "${name}" already, number ${twin.id}`,
      `"--into ${twin.id}" replaces what is in it, "--add-to ${twin.id}" adds to it, "--again" makes a second one`,
    );
};

const make = async (cli: Cli, session: Session, file: MatchedPlaylistFile, options: ImportOptions & { name: string }): Promise<void> => {
  const owner = await ownerOf(session, options.owner);
  if (!options.again) await refuseSecond(session, owner, options.name);
  // Nobody but administrators could open a private list of nobody.
  const isPublic = options.public || owner.id === null;
  const { songIds } = file.report;
  const terms = { ownerId: owner.id, name: options.name, isPublic, comment: file.content.comment?.slice(0, 2000) ?? '' };
  const first = songIds.slice(0, SONGS_PER_COMMAND);
  const { result, positions } = await session.commands.send(
    createPlaylist,
    { ...terms, members: first.length === 0 ? [] : [{ objectIds: first }] },
    session.context(),
    { timeoutMs: COMMAND_TIMEOUT_MS },
  );
  const more = await addAll(session, result.playlistId, songIds.slice(first.length));
  await session.watch.waitFor([...(more.length > 0 ? more : positions)], READABLE_WITHIN_MS);
  cli.terminal.print(`Playlist ${result.playlistId} "${options.name}" of ${owner.name} holds ${counted(songIds.length, 'song')}.`);
};

const replace = async (cli: Cli, session: Session, list: FoundPlaylist, songIds: readonly number[]): Promise<void> => {
  const members = songIds.length === 0 ? [] : [{ objectIds: [...songIds] }];
  const wanted = { playlistId: playlistId.parse(list.id), members, expectedRevision: list.revision };
  const { positions } = await session.commands.send(replacePlaylistMembers, wanted, session.context(), { timeoutMs: COMMAND_TIMEOUT_MS });
  await session.watch.waitFor([...positions], READABLE_WITHIN_MS);
  cli.terminal.print(
    `Playlist ${list.id} "${list.name}" holds ${counted(songIds.length, 'song')} now, in place of ${formatCount(list.memberCount)}.`,
  );
};

const extend = async (cli: Cli, session: Session, list: FoundPlaylist, songIds: readonly number[]): Promise<void> => {
  await session.watch.waitFor([...(await addAll(session, list.id, songIds))], READABLE_WITHIN_MS);
  cli.terminal.print(`Playlist ${list.id} "${list.name}" has ${counted(songIds.length, 'song')} more.`);
};

const nameOf = (path: string, file: MatchedPlaylistFile, given: string | undefined): string =>
  (given ?? file.content.title ?? basename(path, extname(path))).trim().slice(0, MAX_PLAYLIST_NAME) || 'Playlist';

const importOne = async (cli: Cli, session: Session, path: string, options: ImportOptions): Promise<MatchedPlaylistFile> => {
  const file = await match(session, path, options.encoding);
  say(cli, path, file);
  sayUnmatched(cli, file, options.allUnmatched ? Number.MAX_SAFE_INTEGER : UNMATCHED_SHOWN);
  const { songIds } = file.report;
  if (options.dryRun) return file;
  if (songIds.length === 0 && file.content.entries.length > 0) {
    cli.fail();
    cli.terminal.warn(`Nothing was imported from ${path}: none of its entries is in the library.`);
  } else if (options.into !== undefined) await replace(cli, session, await findPlaylist(session, options.into), songIds);
  else if (options.addTo !== undefined) await extend(cli, session, await findPlaylist(session, options.addTo), songIds);
  else await make(cli, session, file, { ...options, name: nameOf(path, file, options.name) });
  return file;
};

/** What a person wants to look for elsewhere, as a playlist of its own. */
const keepUnmatched = async (cli: Cli, target: string, files: readonly MatchedPlaylistFile[]): Promise<void> => {
  const entries = files.flatMap(({ report }) => report.unmatched.map(({ entry }) => entry));
  await writeFile(target, [...writePlaylistFile({ entries }, 'm3u8')].join(''), { flag: 'wx' }).catch((cause: unknown) => {
    throw new CliError(`${target} cannot be written`, 'give a file that is not there yet, in a folder that is', { cause });
  });
  cli.terminal.print(`${entriesText(entries.length)} without a song: ${target}`);
};

/** `continuo playlist import`: playlists of files, with a report of what could not be found. */
export const importPlaylists = (cli: Cli, paths: readonly string[], options: ImportOptions): Promise<void> =>
  cli.withSession(async (session) => {
    const isOne = options.name !== undefined || options.into !== undefined;
    if (isOne && paths.length > 1) throw new CliError('--name and --into are for one file', 'give the files one by one');
    const files: MatchedPlaylistFile[] = [];
    for (const path of paths) files.push(await importOne(cli, session, resolve(path), options));
    if (options.unmatched !== undefined) await keepUnmatched(cli, resolve(options.unmatched), files);
  });
