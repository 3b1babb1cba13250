import type { ManageTypes } from '@continuo/client';
import { OperatorError, formatCount } from '@continuo/operations';
import { listedCatalogs } from '../catalog/find-listed-catalog.js';
import type { Cli } from '../cli.js';
import type { Api } from '../connect/api.js';
import { formatTable } from '../output/table.js';

type PlaylistFile = ManageTypes['schemas']['PlaylistFile'];

const outcomes: Readonly<Record<PlaylistFile['outcome'], string>> = {
  imported: 'as the file says',
  edited: 'changed by hand, left alone',
  deleted: 'deleted by hand',
  'nothing-found': 'no song found',
  unusable: 'no playlist',
};

const filesOf = (api: Api, filter: { readonly path?: string }): Promise<PlaylistFile[]> =>
  api.all((client, cursor) => client.GET('/playlist-files', { params: { query: { ...filter, ...cursor } } }));

/** `continuo playlist files`: the playlist files that scans have met, and what came of each. */
export const listPlaylistFiles = async (cli: Cli): Promise<void> => {
  const api = await cli.api();
  const files = await filesOf(api, {});
  const names = new Map(files.length === 0 ? [] : (await listedCatalogs(api, 'all')).map(({ id, name }) => [id, name]));
  const rows = files.map((file) => [
    names.get(file.catalogId) ?? '',
    file.path,
    file.playlistId,
    file.entryCount,
    file.songCount,
    outcomes[file.outcome],
  ]);
  cli.terminal.print(formatTable(['Catalog', 'File', 'Playlist', 'Entries', 'Songs', 'Playlist is'], rows));
};

/** `continuo playlist missing <file>`: the entries of a file of a catalog that have no song. */
export const listMissing = async (cli: Cli, path: string): Promise<void> => {
  const files = await filesOf(await cli.api(), { path });
  if (files.length === 0)
    throw new OperatorError(`no scan has met a playlist file "${path}"`, '"continuo playlist files" shows all of them');
  for (const { entryCount, songCount, message, unmatched } of files) {
    if (message !== null) cli.terminal.print(message);
    cli.terminal.print(`${formatCount(entryCount - songCount)} of ${formatCount(entryCount)} entries have no song.`);
    if (unmatched.length > 0)
      cli.terminal.print(
        formatTable(
          ['Entry', 'Place', 'Says'],
          unmatched.map(({ number, location, says }) => [number, location, says]),
        ),
      );
  }
};
