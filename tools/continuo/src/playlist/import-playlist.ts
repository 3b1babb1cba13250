import { given } from '@continuo/contracts';
import { realpath, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { ManageTypes } from '@continuo/client';
import { writePlaylistFile, type PlaylistFileEntry } from '@continuo/playlist-files';
import { OperatorError, counted, formatCount } from '@continuo/operations';
import type { Cli } from '../cli.js';
import { ServerRefusal, type Api } from '../connect/api.js';
import { formatTable } from '../output/table.js';
import { accountNamed } from '../user/find-account.js';
import { findPlaylist } from './find-playlist.js';

type Imported = ManageTypes['schemas']['PlaylistImport'];
type NewImport = ManageTypes['schemas']['NewPlaylistImport'];
type Unmatched = Imported['unmatched'][number];

/** Options of an import. */
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

/** Largest file that the server takes, bytes. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const UNMATCHED_SHOWN = 20;

const ways: Readonly<Record<Imported['methods'][number]['method'], string>> = {
  path: 'by path',
  'path-end': 'by the end of the path',
  recording: 'by recording',
  tags: 'by artist and title',
  'file-name': 'by file name',
  title: 'by title and length',
};
const reasons: Readonly<Record<Unmatched['reason'], string>> = {
  'not-found': 'no such song',
  remote: 'elsewhere on the network',
  several: 'several songs fit',
  'says-nothing': 'names nothing',
};

const bytesOf = async (path: string): Promise<Buffer> => {
  const unreadable = (cause: unknown): never => {
    throw new OperatorError(`${path} cannot be read`, 'is it a file, and may you read it?', { cause });
  };
  const { size } = await stat(path).catch(unreadable);
  if (size > MAX_FILE_BYTES) throw new OperatorError(`${path} is too large for a playlist`, 'import it in parts, if it is one');
  return readFile(path).catch(unreadable);
};

const entriesText = (count: number): string => (count === 1 ? '1 entry' : `${formatCount(count)} entries`);

const say = (cli: Cli, path: string, { methods, songCount, entryCount, encoding, format, notices }: Imported): void => {
  const found = methods.map(({ method, count }) => `${formatCount(count)} ${ways[method]}`);
  cli.terminal.print(
    `${path}: ${format}, ${encoding}, ${formatCount(songCount)} of ${entriesText(entryCount)} found` +
      (found.length > 0 ? ` (${found.join(', ')}).` : '.'),
  );
  for (const { line, message } of notices) cli.terminal.warn(line > 0 ? `Line ${line}: ${message}` : message);
};

const sayUnmatched = (cli: Cli, { unmatched }: Imported, shown: number): void => {
  if (unmatched.length === 0) return;
  const rows = unmatched.slice(0, shown).map(({ number, locations, artist, title, reason }) => {
    const says = [artist, title].filter((text) => text !== null).join(' - ');
    return [number, locations[0] ?? '', says, reasons[reason]];
  });
  cli.terminal.print(formatTable(['Entry', 'Place', 'Says', 'Why not'], rows));
  if (rows.length < unmatched.length)
    cli.terminal.print(`… and ${formatCount(unmatched.length - rows.length)} more; --all-unmatched lists them.`);
};

/** Purpose of an import, and how to tell that it is done. */
interface Purpose {
  readonly terms: Partial<NewImport>;
  readonly done: (imported: Imported) => string;
}

/** Report of an existing list that the songs go into. */
const intoList = async (api: Api, wanted: string, mode: 'replace' | 'add'): Promise<Purpose> => {
  const { id, name, memberCount } = await findPlaylist(api, wanted);
  const done = ({ songCount }: Imported): string => {
    const songs = counted(songCount, 'song');
    return mode === 'add'
      ? `Playlist ${id} "${name}" has ${songs} more.`
      : `Playlist ${id} "${name}" holds ${songs} now, in place of ${formatCount(memberCount)}.`;
  };
  return { terms: { mode, playlistId: id }, done };
};

const intoNew = async (api: Api, options: ImportOptions): Promise<Purpose> => {
  const isNobodys = options.owner.toLowerCase() === 'system';
  const ownerId = isNobodys ? null : (await accountNamed(api, options.owner)).id;
  const owner = isNobodys ? 'the system' : options.owner;
  const done = ({ outcome, playlist, songCount }: Imported): string => {
    const [id, name] = [playlist?.id, playlist?.name];
    if (outcome === 'exists')
      throw new OperatorError(
        `${owner} has a playlist "${name}" already, number ${id}`,
        `"--into ${id}" replaces what is in it, "--add-to ${id}" adds to it, "--again" makes a second one`,
      );
    return `Playlist ${id} "${name}" of ${owner} holds ${counted(songCount, 'song')}.`;
  };
  const named = options.name === undefined ? {} : { name: options.name };
  return { terms: { mode: 'create', ownerId, isPublic: options.public, allowSameName: options.again, ...named }, done };
};

const purposeOf = async (api: Api, options: ImportOptions): Promise<Purpose> => {
  if (options.dryRun) return { terms: { mode: 'none' }, done: () => '' };
  if (options.into !== undefined) return intoList(api, options.into, 'replace');
  return options.addTo === undefined ? intoNew(api, options) : intoList(api, options.addTo, 'add');
};

const importOne = async (cli: Cli, api: Api, path: string, options: ImportOptions): Promise<Imported> => {
  const content = (await bytesOf(path)).toString('base64');
  const { terms, done } = await purposeOf(api, options);
  const file = { fileName: basename(path), folder: dirname(await realpath(path)), content };
  const encoding = options.encoding === undefined ? {} : { encoding: options.encoding };
  const imported = await api
    .ask((client) => client.POST('/playlists/imports', { body: { ...file, ...encoding, ...terms } }))
    .catch((cause: unknown) => {
      if (!(cause instanceof ServerRefusal) || cause.code !== 'input.invalid') throw cause;
      throw new OperatorError(`${path}: ${cause.message}`, undefined, { cause });
    });
  say(cli, path, imported);
  sayUnmatched(cli, imported, options.allUnmatched ? Number.MAX_SAFE_INTEGER : UNMATCHED_SHOWN);
  if (imported.outcome === 'nothing-found') {
    cli.fail();
    cli.terminal.warn(`Nothing was imported from ${path}: none of its entries is in the library.`);
  } else if (imported.outcome !== 'reported') cli.terminal.print(done(imported));
  return imported;
};

const entryOf = ({ locations, title, artist, album, durationMs }: Unmatched): PlaylistFileEntry => ({
  locations,
  ...given({ title: title ?? undefined, artist: artist ?? undefined, album: album ?? undefined, durationMs: durationMs ?? undefined }),
});

/** Writes unmatched entries as a playlist of their own. */
const keepUnmatched = async (cli: Cli, target: string, files: readonly Imported[]): Promise<void> => {
  const entries = files.flatMap(({ unmatched }) => unmatched.map(entryOf));
  await writeFile(target, [...writePlaylistFile({ entries }, 'm3u8')].join(''), { flag: 'wx' }).catch((cause: unknown) => {
    throw new OperatorError(`${target} cannot be written`, 'give a file that is not there yet, in a folder that is', { cause });
  });
  cli.terminal.print(`${entriesText(entries.length)} without a song: ${target}`);
};

/** `continuo playlist import`: playlists of files, with a report of what could not be found. */
export const importPlaylists = async (cli: Cli, paths: readonly string[], options: ImportOptions): Promise<void> => {
  const isOne = options.name !== undefined || options.into !== undefined;
  if (isOne && paths.length > 1) throw new OperatorError('--name and --into are for one file', 'give the files one by one');
  const api = await cli.api();
  const files: Imported[] = [];
  for (const path of paths) files.push(await importOne(cli, api, resolve(path), options));
  if (options.unmatched !== undefined) await keepUnmatched(cli, resolve(options.unmatched), files);
};
