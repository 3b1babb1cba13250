import { addCatalog } from '@continuo/contracts';
import { Command, Option } from 'commander';
import type { Cli } from '../cli.js';
import { formatTable } from '../output/table.js';
import { changeCommands } from './change.commands.js';
import { wantedCatalog, type WantedOptions } from './wanted-catalog.js';
import { groupCommand } from '../visibility/group.commands.js';

/** How long to wait until a new catalog shows in lists, ms. */
const READABLE_WITHIN_MS = 5000;

/** What a catalog can hold. */
const mediaKinds = ['music', 'video', 'podcast'] as const;

interface AddOptions extends WantedOptions {
  readonly media: (typeof mediaKinds)[number];
}

const add = (cli: Cli, place: string, { media, ...options }: AddOptions): Promise<void> =>
  cli.withSession(async ({ commands, context, watch }) => {
    const wanted = wantedCatalog(place, options, cli.settings().CONTINUO_CATALOG_SECRET);
    const { path } = wanted;
    const { result, positions } = await commands.send(addCatalog, { ...wanted, gatherTypes: media }, context());
    await watch.waitFor(positions, READABLE_WITHIN_MS);
    // What lies in a catalog of podcasts is fetched by the server.
    const next =
      media === 'podcast'
        ? 'Subscribe to feeds in a client: files of their episodes go there'
        : `Scan it with "continuo scan ${result.catalogId}"`;
    cli.terminal.print(`Catalog ${result.catalogId} holds ${path}. ${next}.`);
  });

/** What a catalog lists. */
interface Held {
  readonly gather_types: string;
  readonly song_count: number;
  readonly videos: number | null;
  readonly podcasts: number | null;
  readonly episodes: number | null;
}

const counted = (count: number | null, one: string): string => `${count ?? 0} ${one}${count === 1 ? '' : 's'}`;

/** What is in a catalog, by what it is for. */
const held = ({ gather_types, song_count, videos, podcasts, episodes }: Held): string => {
  if (gather_types === 'video') return counted(videos, 'video');
  return gather_types === 'podcast' ? `${counted(podcasts, 'podcast')}, ${counted(episodes, 'episode')}` : counted(song_count, 'song');
};

const list = (cli: Cli): Promise<void> =>
  cli.withSession(async ({ db }) => {
    const catalogs = await db
      .selectFrom('library.catalog as c')
      .leftJoin('library.video_counter as v', (join) => join.onRef('v.catalog_id', '=', 'c.id').on('v.kind', '=', 'video'))
      .leftJoin('library.podcast_counter as p', (join) => join.onRef('p.catalog_id', '=', 'c.id').on('p.kind', '=', 'podcast'))
      .leftJoin('library.podcast_counter as e', (join) => join.onRef('e.catalog_id', '=', 'c.id').on('e.kind', '=', 'podcast_episode'))
      .select(['c.id', 'c.name', 'c.gather_types', 'c.song_count', 'c.path', 'c.enabled'])
      .select(['v.total as videos', 'p.total as podcasts', 'e.total as episodes'])
      .orderBy('c.id')
      .execute();
    cli.terminal.print(
      formatTable(
        ['Id', 'Name', 'Kind', 'Holds', 'Folder'],
        catalogs.map((row) => [row.id, row.name, row.gather_types, held(row), row.enabled ? row.path : `${row.path} (off)`]),
      ),
    );
  });

/** `continuo catalog …`: the folders that the library shows. */
export const catalogCommand = (cli: Cli): Command => {
  const command = new Command('catalog').description('folders that the library shows');
  command
    .command('add <place>')
    .description('add a folder of music or videos, S3 storage, or another server; it is scanned by "continuo scan"')
    .option('--name <name>', "default: the folder's own name")
    .addOption(new Option('--media <kind>', 'what is in it').choices([...mediaKinds]).default('music'))
    .option('--account <name>', 'access key or user name at another place; its secret is read from CONTINUO_CATALOG_SECRET')
    .option('--region <region>', 'of S3 storage')
    .action((place: string, options: AddOptions) => add(cli, place, options));
  command
    .command('list')
    .description('all catalogs')
    .action(() => list(cli));
  for (const one of changeCommands(cli)) command.addCommand(one);
  command.addCommand(groupCommand(cli));
  return command;
};
