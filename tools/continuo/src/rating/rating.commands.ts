import { rateObject, type LogPosition, type UserId } from '@continuo/contracts';
import { Command } from 'commander';
import { sql } from 'kysely';
import type { Cli } from '../cli.js';
import { findCatalogs } from '../catalog/find-catalog.js';
import type { Session } from '../connect/session.js';
import { userNamed } from '../user/find-user.js';

/** Songs of one look; pages by key. */
const SONGS_PER_PAGE = 2000;
/** What one star of five is of a hundred, which is what tags are read as. */
const STAR = 20;
/** How long to wait until the ratings show, ms. */
const READABLE_WITHIN_MS = 60_000;

interface Rated {
  readonly id: number;
  readonly title: string;
  readonly stars: number;
}

/** What an import is about. */
interface Wanted {
  readonly userId: UserId;
  /** Undefined for all of them. */
  readonly catalogIds: readonly number[] | undefined;
}

/** Songs whose tags say a rating and that the account has not rated, in order of id. */
const unrated = async ({ db }: Session, { userId, catalogIds }: Wanted, afterId: number): Promise<Rated[]> => {
  const { rows } = await sql<{ id: number; title: string; rating: number }>`
    select s.id, s.title, (s.doc::json->>'tagRating')::int as rating from library.song s
    where s.id > ${afterId} and s.doc like '%"tagRating":%' and ${catalogIds === undefined ? sql`true` : sql`s.catalog_id = any(${[...catalogIds]}::bigint[])`}
      and not exists (select from social.rating r where r.user_id = ${userId} and r.kind = 'song' and r.object_id = s.id)
    order by s.id limit ${SONGS_PER_PAGE}`.execute(db);
  return rows.map(({ id, title, rating }) => ({ id, title, stars: Math.max(1, Math.round(rating / STAR)) }));
};

const importInto = async (session: Session, wanted: Wanted): Promise<number> => {
  const { commands, context, watch } = session;
  let imported = 0;
  let last: readonly LogPosition[] = [];
  for (let afterId = 0; ;) {
    const page = await unrated(session, wanted, afterId);
    for (const { id, stars } of page) {
      last = (await commands.send(rateObject, { userId: wanted.userId, kind: 'song', objectId: id, rating: stars }, context())).positions;
      imported += 1;
    }
    if (page.length < SONGS_PER_PAGE) break;
    afterId = page.at(-1)?.id ?? afterId;
  }
  await watch.waitFor(last, READABLE_WITHIN_MS);
  return imported;
};

const count = async (session: Session, wanted: Wanted): Promise<number> => {
  let found = 0;
  for (let afterId = 0; ;) {
    const page = await unrated(session, wanted, afterId);
    found += page.length;
    if (page.length < SONGS_PER_PAGE) return found;
    afterId = page.at(-1)?.id ?? afterId;
  }
};

/** `continuo rating …`: ratings that stand in music files. */
export const ratingCommand = (cli: Cli): Command => {
  const command = new Command('rating').description('ratings that stand in music files');
  command
    .command('import <user>')
    .description("make what tags say an account's own ratings, once; what the account has rated itself stays")
    .option('--catalog <name>', 'only the songs of a catalog')
    .option('--dry-run', 'only count them')
    .action((user: string, options: { catalog?: string; dryRun?: boolean }) =>
      cli.withSession(async (session) => {
        const userId = await userNamed(session, user);
        const catalogs = options.catalog === undefined ? undefined : await findCatalogs(session.db, options.catalog);
        const wanted = { userId, catalogIds: catalogs?.map(({ id }) => id) };
        const songs = options.dryRun ? await count(session, wanted) : await importInto(session, wanted);
        cli.terminal.print(`${songs} ${songs === 1 ? 'song' : 'songs'} ${options.dryRun ? 'would be rated' : 'rated'} as the tags say.`);
      }),
    );
  return command;
};
