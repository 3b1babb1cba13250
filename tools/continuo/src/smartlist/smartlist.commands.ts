import { createSmartlist, deleteSmartlist, smartlistId, type LogPosition, type SmartlistId, type SmartlistRule } from '@continuo/contracts';
import { Command } from 'commander';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Cli } from '../cli.js';
import { CliError } from '../connect/cli-error.js';
import type { Session } from '../connect/session.js';
import { counted, formatTable } from '../output/table.js';
import { userNamed } from '../user/find-user.js';
import { smartlistOf } from './navidrome-file.js';
import { checked, rulesFrom } from './rules-argument.js';

const READABLE_WITHIN_MS = 5000;
const MAX_LIMIT = 1_000_000;

interface Terms {
  readonly owner?: string;
  readonly public?: boolean;
  readonly any?: boolean;
  readonly limit?: string;
  readonly random?: boolean;
}

const limitOf = (text: string | undefined): number => {
  const limit = Number(text ?? 0);
  if (!Number.isInteger(limit) || limit < 0 || limit > MAX_LIMIT) throw new CliError(`"${text}" is no number of songs`);
  return limit;
};

const readable = async (session: Session, positions: readonly LogPosition[]): Promise<void> => {
  await session.watch.waitFor(positions, READABLE_WITHIN_MS);
};

interface Made {
  readonly name: string;
  readonly rules: readonly SmartlistRule[];
  readonly logic: 'and' | 'or';
  readonly isRandom: boolean;
  readonly limit: number;
  readonly isPublic: boolean;
}

const keep = async (cli: Cli, session: Session, owner: string | undefined, { rules, ...terms }: Made): Promise<void> => {
  const ownerId = owner === undefined ? null : await userNamed(session, owner);
  const list = { ...terms, rules: [...rules], ownerId };
  const { result, positions } = await session.commands.send(createSmartlist, list, session.context());
  await readable(session, positions);
  cli.terminal.print(`Smartlist smart_${result.smartlistId}, "${result.name}", has ${counted(rules.length, 'rule')}.`);
};

const create = (cli: Cli, name: string, texts: readonly string[], terms: Terms): Promise<void> => {
  const logic = terms.any ? 'or' : 'and';
  const rules = rulesFrom(texts, logic);
  const limit = limitOf(terms.limit);
  return cli.withSession((session) =>
    keep(cli, session, terms.owner, {
      name,
      rules,
      logic,
      limit,
      isRandom: terms.random === true,
      // What is nobody's would be for administrators alone.
      isPublic: terms.public === true || terms.owner === undefined,
    }),
  );
};

const importFile = async (cli: Cli, path: string, terms: Terms): Promise<void> => {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new CliError(`"${path}" cannot be read`, undefined, { cause });
  });
  const { rules, unknown, ...list } = smartlistOf(text, basename(path).replace(/\.nsp$/i, ''));
  for (const line of unknown) cli.terminal.warn(`left out: ${line}`);
  const kept = checked(rules, list.logic);
  const isPublic = terms.public === true || terms.owner === undefined;
  await cli.withSession((session) => keep(cli, session, terms.owner, { ...list, rules: kept, isPublic }));
};

const list = (cli: Cli): Promise<void> =>
  cli.withSession(async ({ db }) => {
    const lists = await db
      .selectFrom('library.smartlist as s')
      .leftJoin('social.user as u', 'u.id', 's.owner_id')
      .select(['s.id', 's.name', 'u.username', 's.owner_id', 's.is_public', 's.rules', 's.song_limit', 's.is_random', 's.last_count'])
      .orderBy('s.id')
      .execute();
    const rows = lists.map((row) => [
      `smart_${row.id}`,
      row.name,
      row.owner_id === null ? 'System' : row.username,
      row.is_public ? 'public' : 'private',
      (JSON.parse(row.rules) as unknown[]).length,
      row.song_limit === 0 ? null : row.song_limit,
      row.is_random ? 'random' : '',
      row.last_count,
    ]);
    cli.terminal.print(formatTable(['id', 'name', 'owner', 'type', 'rules', 'limit', 'order', 'songs'], rows));
  });

const found = async ({ db }: Session, text: string): Promise<{ id: SmartlistId; name: string; rules: string; logic: string }> => {
  const digits = /^(?:smart_)?(\d{1,9})$/.exec(text.trim())?.[1];
  const id = Number(digits ?? 0);
  const row = await db.selectFrom('library.smartlist').select(['name', 'rules', 'logic']).where('id', '=', id).executeTakeFirst();
  if (!row) throw new CliError(`there is no smartlist "${text}"`, '"continuo smartlist list" shows all of them');
  return { ...row, id: smartlistId.parse(id) };
};

const show = (cli: Cli, text: string): Promise<void> =>
  cli.withSession(async (session) => {
    const { name, rules, logic } = await found(session, text);
    cli.terminal.print(`${name}: songs that fulfil ${logic === 'or' ? 'one' : 'all'} of`);
    for (const [rule, operator, input, subtype] of JSON.parse(rules) as SmartlistRule[])
      cli.terminal.print(`  ${[rule, ...(subtype === null ? [] : [subtype]), operator, JSON.stringify(input)].join(' ')}`);
  });

const remove = (cli: Cli, text: string): Promise<void> =>
  cli.withSession(async (session) => {
    const { id, name } = await found(session, text);
    const { positions } = await session.commands.send(deleteSmartlist, { smartlistId: id }, session.context());
    await readable(session, positions);
    cli.terminal.print(`Smartlist smart_${id}, "${name}", is gone.`);
  });

const withTerms = (command: Command): Command =>
  command
    .option('--owner <name>', 'whose list it is, for whom plays and ratings count; without it the list is nobody’s, and public')
    .option('--public', 'everybody may open it');

/** `continuo smartlist`: searches for songs that are kept, which clients see among the playlists. */
export const smartlistCommand = (cli: Cli): Command => {
  const command = new Command('smartlist').description('searches for songs that are kept as lists');
  command
    .command('list')
    .description('all smartlists')
    .action(() => list(cli));
  withTerms(command.command('create <name> <rules...>'))
    .description('keep a search; rules are JSON, or parameters as the API has them: rule_1=title rule_1_operator=0 rule_1_input=loud')
    .option('--any', 'songs that fulfil one of the rules; without it all of them')
    .option('--limit <songs>', 'the most songs')
    .option('--random', 'in another order each time, with a limit another choice too')
    .action((name: string, rules: string[], terms: Terms) => create(cli, name, rules, terms));
  withTerms(command.command('import <file>'))
    .description('make a smartlist of a smart playlist file (.nsp)')
    .action((file: string, terms: Terms) => importFile(cli, file, terms));
  command
    .command('show <id>')
    .description('what a smartlist looks for')
    .action((id: string) => show(cli, id));
  command
    .command('delete <id>')
    .description('end a smartlist')
    .action((id: string) => remove(cli, id));
  return command;
};
