import { playlistFormats } from '@continuo/playlist-files';
import { Command, Option } from 'commander';
import type { Cli } from '../cli.js';
import { formatTable } from '../output/table.js';
import { namesOfAccounts } from '../user/find-account.js';
import { exportPlaylists, type ExportOptions } from './export-playlist.js';
import { playlistsOf } from './find-playlist.js';
import { listMissing, listPlaylistFiles } from './playlist-files.js';
import { importPlaylists, type ImportOptions } from './import-playlist.js';

const list = async (cli: Cli): Promise<void> => {
  const api = await cli.api();
  const playlists = await playlistsOf(api, {});
  const names = await namesOfAccounts(
    api,
    playlists.flatMap(({ ownerId }) => ownerId ?? []),
  );
  const rows = playlists.map((one) => [
    one.id,
    one.name,
    (one.ownerId === null ? undefined : names.get(one.ownerId)) ?? 'System',
    one.memberCount,
    one.isPublic ? 'public' : 'private',
  ]);
  cli.terminal.print(formatTable(['Id', 'Name', 'Owner', 'Songs', 'Open to'], rows));
};

const addImport = (command: Command, cli: Cli): void => {
  command
    .command('import <files...>')
    .description('make playlists of M3U, M3U8, PLS and XSPF files')
    .requiredOption('--owner <account>', 'whose list it will be; "system" for a list of nobody')
    .option('--name <name>', 'default: the name in the file, else that of the file')
    .option('--public', 'everybody may open it', false)
    .addOption(new Option('--into <playlist>', 'replace what is in this list').conflicts(['addTo', 'name']))
    .addOption(new Option('--add-to <playlist>', 'add to this list').conflicts(['into', 'name']))
    .option('--again', 'make a second list of the same name', false)
    .option('--encoding <name>', 'character set of the file; found out without it')
    .option('--dry-run', 'only report what would be found', false)
    .option('--unmatched <file>', 'write the entries without a song into a playlist file')
    .option('--all-unmatched', 'list every entry without a song', false)
    .action((files: string[], options: ImportOptions) => importPlaylists(cli, files, options));
};

const addExport = (command: Command, cli: Cli): void => {
  command
    .command('export <playlist>')
    .description('write a playlist by number or name, or "all", as a file')
    .option('--to <path>', 'file, or folder for all; without it to the terminal, with absolute paths')
    .addOption(new Option('--format <format>', 'default: by the name of the file, else m3u8').choices([...playlistFormats]))
    .option('--absolute', 'paths from the root of the file system', false)
    .option('--windows', 'backslashes between folders', false)
    .option('--overwrite', 'replace files that are there', false)
    .action((wanted: string, options: ExportOptions) => exportPlaylists(cli, wanted, options));
};

/** `continuo playlist …`: lists of the library, in and out as files. */
export const playlistCommand = (cli: Cli): Command => {
  const command = new Command('playlist').description('playlists, and playlist files');
  command
    .command('list')
    .description('all playlists')
    .action(() => list(cli));
  addImport(command, cli);
  addExport(command, cli);
  command
    .command('files')
    .description('playlist files that scans have met, and what came of them')
    .action(() => listPlaylistFiles(cli));
  command
    .command('missing <file>')
    .description('entries of such a file that have no song')
    .action((file: string) => listMissing(cli, file));
  return command;
};
