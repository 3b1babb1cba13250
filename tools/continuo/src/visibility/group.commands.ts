import {
  addCatalogGroup,
  changeCatalogGroup,
  joinCatalogGroup,
  removeCatalogGroup,
  renameCatalogGroup,
  type CatalogId,
  type LogPosition,
} from '@continuo/contracts';
import { Command } from 'commander';
import { sql } from 'kysely';
import { findCatalogs } from '../catalog/find-catalog.js';
import type { Cli } from '../cli.js';
import type { Session } from '../connect/session.js';
import { formatTable } from '../output/table.js';
import { userNamed } from '../user/find-user.js';
import { DEFAULT_GROUP, findGroup, findGroupOrDefault } from './find-group.js';

/** How long to wait until a decision shows, ms. */
const READABLE_WITHIN_MS = 5000;

interface Decided {
  readonly positions: readonly LogPosition[];
  readonly done: string;
}

/** Has a decision taken, waits until gateways can read it, and says what is so now. */
const decide = (cli: Cli, work: (session: Session) => Promise<Decided>): Promise<void> =>
  cli.withSession(async (session) => {
    const { positions, done } = await work(session);
    await session.watch.waitFor(positions, READABLE_WITHIN_MS);
    cli.terminal.print(done);
  });

const catalogIds = async ({ db }: Session, wanted: readonly string[]): Promise<CatalogId[]> => {
  const found = await Promise.all(wanted.map((one) => findCatalogs(db, one)));
  return [...new Set(found.flat().map(({ id }) => id))];
};

const list = (cli: Cli): Promise<void> =>
  cli.withSession(async ({ db }) => {
    const { rows } = await sql<{ id: number; name: string; catalogs: string | null; members: number }>`
      select g.id, g.name, (select count(*)::int from social.user_catalog_group m where m.group_id = g.id) as members,
        (select string_agg(c.name, ', ' order by c.id) from social.catalog_group_catalog h join library.catalog c on c.id = h.catalog_id
          where h.group_id = g.id) as catalogs
      from social.catalog_group g order by g.id`.execute(db);
    const others = await sql<{ n: number }>`
      select count(*)::int as n from social."user" u where not exists (select from social.user_catalog_group m where m.user_id = u.id)`.execute(
      db,
    );
    const table = [
      ['', DEFAULT_GROUP, others.rows[0]?.n ?? 0, 'all catalogs'],
      ...rows.map((row) => [row.id, row.name, row.members, row.catalogs ?? 'no catalog']),
    ];
    cli.terminal.print(formatTable(['Id', 'Group', 'Accounts', 'Sees'], table));
  });

const add = (cli: Cli, name: string, catalogs: readonly string[]): Promise<void> =>
  decide(cli, async (session) => {
    const ids = await catalogIds(session, catalogs);
    const { result, positions } = await session.commands.send(addCatalogGroup, { name }, session.context());
    const filled =
      ids.length === 0
        ? { positions: [] }
        : await session.commands.send(changeCatalogGroup, { groupId: result.groupId, add: ids }, session.context());
    const done = `Group ${name} (number ${result.groupId}) sees ${ids.length} of the catalogs. "continuo user group <account> ${name}" lets an account belong to it.`;
    return { positions: [...positions, ...filled.positions], done };
  });

const change = (cli: Cli, wanted: string, catalogs: readonly string[], shows: boolean): Promise<void> =>
  decide(cli, async (session) => {
    const group = await findGroup(session.db, wanted);
    const ids = await catalogIds(session, catalogs);
    const data = { groupId: group.id, ...(shows ? { add: ids } : { remove: ids }) };
    const { positions } = await session.commands.send(changeCatalogGroup, data, session.context());
    return { positions, done: `Group ${group.name} ${shows ? 'sees' : 'does not see'} ${catalogs.join(', ')}.` };
  });

const rename = (cli: Cli, wanted: string, name: string): Promise<void> =>
  decide(cli, async (session) => {
    const group = await findGroup(session.db, wanted);
    const { positions } = await session.commands.send(renameCatalogGroup, { groupId: group.id, name }, session.context());
    return { positions, done: `Group ${group.id} is called ${name}.` };
  });

const remove = (cli: Cli, wanted: string, moveTo: string | undefined): Promise<void> =>
  decide(cli, async (session) => {
    const group = await findGroup(session.db, wanted);
    const target = moveTo === undefined ? undefined : await findGroupOrDefault(session.db, moveTo);
    const data = { groupId: group.id, ...(target === undefined ? {} : { moveTo: target?.id ?? null }) };
    const { result, positions } = await session.commands.send(removeCatalogGroup, data, session.context());
    const moved = result.moved > 0 ? ` ${result.moved} accounts belong to ${target?.name ?? DEFAULT_GROUP} now.` : '';
    return { positions, done: `Group ${group.name} is gone.${moved}` };
  });

const join = (cli: Cli, username: string, wanted: string): Promise<void> =>
  decide(cli, async (session) => {
    const [userId, group] = [await userNamed(session, username), await findGroupOrDefault(session.db, wanted)];
    const { positions } = await session.commands.send(joinCatalogGroup, { userId, groupId: group?.id ?? null }, session.context());
    const sees = group ? `sees the catalogs of ${group.name}` : 'sees all catalogs';
    return { positions, done: `${username} ${sees}.` };
  });

/** `continuo catalog group …`: groups of catalogs, which say what the accounts that belong to them see. */
export const groupCommand = (cli: Cli): Command => {
  const command = new Command('group').description('groups of catalogs: an account sees those of its group; the default group sees all');
  command
    .command('list')
    .description('all groups, how many accounts belong to them, and what these see')
    .action(() => list(cli));
  command
    .command('add <name> [catalogs...]')
    .description('make a group that sees these catalogs')
    .action((name: string, catalogs: string[]) => add(cli, name, catalogs));
  command
    .command('show <group> <catalogs...>')
    .description('let a group see further catalogs')
    .action((group: string, catalogs: string[]) => change(cli, group, catalogs, true));
  command
    .command('hide <group> <catalogs...>')
    .description('hide catalogs from a group')
    .action((group: string, catalogs: string[]) => change(cli, group, catalogs, false));
  command
    .command('rename <group> <name>')
    .description('give a group another name')
    .action((group: string, name: string) => rename(cli, group, name));
  command
    .command('remove <group>')
    .description('remove a group')
    .option('--move-to <group>', 'where its accounts go; "default" sees everything')
    .action((group: string, options: { moveTo?: string }) => remove(cli, group, options.moveTo));
  return command;
};

/** `continuo user group <name> <group>`: which catalogs an account sees. */
export const userGroupCommand = (cli: Cli): Command =>
  new Command('group')
    .description('let an account belong to a group of catalogs; "default" sees all')
    .argument('<name>', 'the account')
    .argument('<group>', 'a group of "continuo catalog group list"')
    .action((name: string, group: string) => join(cli, name, group));
