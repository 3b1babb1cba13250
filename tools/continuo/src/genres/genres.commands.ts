import { hideGenre, mergeGenre, showGenre, unmergeGenre, type LogPosition } from '@continuo/contracts';
import { Command } from 'commander';
import type { Cli } from '../cli.js';
import type { Session } from '../connect/session.js';
import { formatTable } from '../output/table.js';
import { findGenre, type FoundGenre } from './find-genre.js';

/** How long to wait until a decision shows in lists, ms; a genre of many songs takes a while. */
const READABLE_WITHIN_MS = 60_000;

const list = (cli: Cli): Promise<void> =>
  cli.withSession(async ({ db }) => {
    const merges = await db
      .selectFrom('library.genre_merge')
      .innerJoin('library.genre', 'library.genre.id', 'library.genre_merge.into_id')
      .select(['library.genre_merge.genre_id', 'library.genre.name'])
      .orderBy('library.genre.name_sort')
      .execute();
    const targets = Map.groupBy(merges, (merge) => merge.genre_id);
    const genres = await db.selectFrom('library.genre').selectAll().orderBy('name_sort').orderBy('id').execute();
    const state = (genre: { id: number; hidden: boolean }): string => {
      const into = targets.get(genre.id);
      if (into) return `merged into ${into.map(({ name }) => name).join(', ')}`;
      return genre.hidden ? 'hidden' : '';
    };
    cli.terminal.print(
      formatTable(
        ['Id', 'Name', 'Songs', 'Albums', 'Artists', 'State'],
        genres
          .filter((genre) => genre.song_count > 0 || genre.hidden)
          .map((genre) => [genre.id, genre.name, genre.song_count, genre.album_count, genre.artist_count, state(genre)]),
      ),
    );
  });

type Decision = (session: Session, genre: FoundGenre) => Promise<{ readonly positions: readonly LogPosition[]; readonly done: string }>;

/** Finds the genre, has the decision taken, and says what is so now. */
const decide = (cli: Cli, wanted: string, decision: Decision): Promise<void> =>
  cli.withSession(async (session) => {
    const { positions, done } = await decision(session, await findGenre(session.db, wanted));
    await session.watch.waitFor(positions, READABLE_WITHIN_MS);
    cli.terminal.print(done);
  });

const hide: Decision = async ({ commands, context }, { id, name }) => ({
  ...(await commands.send(hideGenre, { genreId: id }, context())),
  done: `${name} is hidden: lists of genres leave it out, songs keep it.`,
});

const show: Decision = async ({ commands, context }, { id, name }) => ({
  ...(await commands.send(showGenre, { genreId: id }, context())),
  done: `${name} is not hidden.`,
});

const unmerge: Decision = async ({ commands, context }, { id, name }) => ({
  ...(await commands.send(unmergeGenre, { genreId: id }, context())),
  done: `Songs carry ${name} where their tags name it.`,
});

const mergeInto =
  (targets: readonly string[]): Decision =>
  async ({ commands, context, db }, { id, name }) => {
    const into = await Promise.all(targets.map((target) => findGenre(db, target)));
    const sent = await commands.send(mergeGenre, { genreId: id, intoIds: into.map((target) => target.id) }, context());
    return { ...sent, done: `Songs whose tags name ${name} carry ${into.map((target) => target.name).join(', ')} instead, now and later.` };
  };

/** `continuo genres …`: which genres lists show, and which stand for others. */
export const genresCommand = (cli: Cli): Command => {
  const command = new Command('genres').description('which genres lists show; genres that stand for others');
  const each = { hide: ['leave a genre out of the lists', hide], show: ['put a hidden genre back', show] } as const;
  command
    .command('list')
    .description('all genres that have songs, are hidden or merged')
    .action(() => list(cli));
  for (const [name, [description, decision]] of Object.entries(each))
    command
      .command(`${name} <genre>`)
      .description(description)
      .action((genre: string) => decide(cli, genre, decision));
  command
    .command('merge <genre> <into...>')
    .description('let songs carry other genres instead, now and later')
    .action((genre: string, into: string[]) => decide(cli, genre, mergeInto(into)));
  command
    .command('unmerge <genre>')
    .description('let songs carry a merged genre again')
    .action((genre: string) => decide(cli, genre, unmerge));
  return command;
};
