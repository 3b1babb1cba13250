import { makeShout, removeShout, type AnnotatedKind, type LogPosition } from '@continuo/contracts';
import { Command } from 'commander';
import { sql } from 'kysely';
import type { Cli } from '../cli.js';
import { CliError } from '../connect/cli-error.js';
import type { Session } from '../connect/session.js';
import { formatTable } from '../output/table.js';
import { userNamed } from '../user/find-user.js';

/** Where the things are that can be shouted about. */
const tables = {
  song: 'library.song',
  album: 'library.album',
  album_disk: 'library.album_disk',
  artist: 'library.artist',
  genre: 'library.genre',
  label: 'library.label',
  video: 'library.video',
} as const satisfies Partial<Record<AnnotatedKind, string>>;
type ShoutKind = keyof typeof tables;

const MAX_ID = 0x7fffffff;
const SHOWN = 50;
const READABLE_WITHIN_MS = 5000;
const idOf = (text: string): number => {
  const id = Number(text);
  if (!Number.isInteger(id) || id < 1 || id > MAX_ID)
    throw new CliError(`"${text}" is no number of anything`, 'clients and the API show the numbers');
  return id;
};

const kindOf = (text: string): ShoutKind => {
  if (Object.hasOwn(tables, text)) return text as ShoutKind;
  throw new CliError(`nobody can shout about a "${text}"`, `one of ${Object.keys(tables).join(', ')}`);
};

const insistOn = async ({ db }: Session, kind: ShoutKind, id: number): Promise<void> => {
  const { rows } = await sql`select 1 from ${sql.table(tables[kind])} where id = ${id}`.execute(db);
  if (rows.length === 0) throw new CliError(`there is no ${kind} ${id}`, 'clients and the API show the numbers');
};

const readable = async (session: Session, positions: readonly LogPosition[]): Promise<void> => {
  await session.watch.waitFor(positions, READABLE_WITHIN_MS);
};

const add = (cli: Cli, username: string, about: readonly [kind: string, id: string], text: string): Promise<void> =>
  cli.withSession(async (session) => {
    const userId = await userNamed(session, username);
    const kind = kindOf(about[0]);
    const objectId = idOf(about[1]);
    await insistOn(session, kind, objectId);
    const { result, positions } = await session.commands.send(makeShout, { userId, kind, objectId, text }, session.context());
    await readable(session, positions);
    cli.terminal.print(`Shout ${result.shoutId} of ${username} about ${kind} ${objectId} can be read.`);
  });

const list = (cli: Cli): Promise<void> =>
  cli.withSession(async ({ db }) => {
    const shouts = await db
      .selectFrom('social.shout as s')
      .leftJoin('social.user as u', 'u.id', 's.user_id')
      .select(['s.id', 'u.username', 's.kind', 's.object_id', 's.text', 's.at_ms'])
      .orderBy('s.at_ms', 'desc')
      .orderBy('s.id', 'desc')
      .limit(SHOWN)
      .execute();
    const rows = shouts.map((shout) => [
      shout.id,
      new Date(shout.at_ms).toISOString().slice(0, 16),
      shout.username ?? '',
      `${shout.kind} ${shout.object_id}`,
      shout.text.replaceAll(/\s+/g, ' '),
    ]);
    cli.terminal.print(formatTable(['Id', 'At', 'By', 'About', 'Text'], rows));
  });

const remove = (cli: Cli, wanted: string): Promise<void> =>
  cli.withSession(async (session) => {
    const shout = await session.db
      .selectFrom('social.shout')
      .select(['user_id', 'number'])
      .where('id', '=', idOf(wanted))
      .executeTakeFirst();
    if (!shout) throw new CliError(`there is no shout ${wanted}`, '"continuo shout list" shows the latest');
    const { positions } = await session.commands.send(removeShout, { userId: shout.user_id, number: shout.number }, session.context());
    await readable(session, positions);
    cli.terminal.print(`Shout ${wanted} is gone.`);
  });

/** `continuo shout …`: what people say about things, for everybody to read. */
export const shoutCommand = (cli: Cli): Command => {
  const command = new Command('shout').description('what people say about songs, albums and artists');
  command
    .command('add <user> <kind> <number> <text>')
    .description('say something about a thing in the name of an account')
    .action((user: string, kind: string, number: string, text: string) => add(cli, user, [kind, number], text));
  command
    .command('list')
    .description(`the latest ${SHOWN}`)
    .action(() => list(cli));
  command
    .command('remove <id>')
    .description('take a shout away')
    .action((id: string) => remove(cli, id));
  return command;
};
