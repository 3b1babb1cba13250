import type { PlaylistFileOutcome, UnmatchedEntry } from '@continuo/contracts';
import type { Cli } from '../cli.js';
import { CliError } from '../connect/cli-error.js';
import { formatCount, formatTable } from '../output/table.js';

const outcomes: Readonly<Record<PlaylistFileOutcome, string>> = {
  imported: 'as the file says',
  edited: 'changed by hand, left alone',
  deleted: 'deleted by hand',
  'nothing-found': 'no song found',
  unusable: 'no playlist',
};

/** `continuo playlist files`: the playlist files that scans have met, and what came of each. */
export const listPlaylistFiles = (cli: Cli): Promise<void> =>
  cli.withSession(async ({ db }) => {
    const files = await db
      .selectFrom('ingestion.playlist_file as f')
      .innerJoin('library.catalog as c', 'c.id', 'f.catalog_id')
      .select(['c.name', 'f.path', 'f.playlist_id', 'f.entry_count', 'f.song_count', 'f.outcome'])
      .orderBy('f.catalog_id')
      .orderBy('f.path')
      .execute();
    const rows = files.map((file) => [file.name, file.path, file.playlist_id, file.entry_count, file.song_count, outcomes[file.outcome]]);
    cli.terminal.print(formatTable(['Catalog', 'File', 'Playlist', 'Entries', 'Songs', 'Playlist is'], rows));
  });

/** `continuo playlist missing <file>`: the entries of a file of a catalog that have no song. */
export const listMissing = (cli: Cli, path: string): Promise<void> =>
  cli.withSession(async ({ db }) => {
    const files = await db.selectFrom('ingestion.playlist_file').selectAll().where('path', '=', path).execute();
    if (files.length === 0) throw new CliError(`no scan has met a playlist file "${path}"`, '"continuo playlist files" shows all of them');
    for (const { entry_count: entries, song_count: songs, message, unmatched } of files) {
      if (message !== null) cli.terminal.print(message);
      const named = JSON.parse(unmatched) as UnmatchedEntry[];
      cli.terminal.print(`${formatCount(entries - songs)} of ${formatCount(entries)} entries have no song.`);
      if (named.length > 0)
        cli.terminal.print(
          formatTable(
            ['Entry', 'Place', 'Says'],
            named.map(({ number, location, says }) => [number, location, says]),
          ),
        );
    }
  });
