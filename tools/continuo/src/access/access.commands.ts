import {
  addAccessRule,
  removeAccessRule,
  switchAccessRule,
  type AccessLevel,
  type AccessRuleTable,
  type LogPosition,
} from '@continuo/contracts';
import { Argument, Command, InvalidArgumentError } from 'commander';
import type { Cli } from '../cli.js';
import { CliError } from '../connect/cli-error.js';
import type { Session } from '../connect/session.js';
import { formatTable } from '../output/table.js';
import { userNamed } from '../user/find-user.js';
import { levelName, parseLevel } from '../user/levels.js';
import { parseAddresses, type AddressArgument } from './address-argument.js';

type Use = AccessRuleTable['type'];

const uses: readonly Use[] = ['rpc', 'stream', 'interface', 'network'];
/** How long to wait until gateways can read a changed list, ms. */
const READABLE_WITHIN_MS = 5000;

const list = (cli: Cli): Promise<void> =>
  cli.withSession(async ({ db }) => {
    const rules = await db
      .selectFrom('social.access_rule as r')
      .leftJoin('social.user as u', 'u.id', 'r.user_id')
      .select(['r.id', 'r.name', 'r.type', 'r.start_address', 'r.end_address', 'r.level', 'r.user_id', 'r.enabled', 'u.username'])
      .orderBy('r.id')
      .execute();
    const rows = rules.map((rule) => [
      rule.id,
      rule.name,
      rule.type,
      rule.start_address === rule.end_address ? rule.start_address : `${rule.start_address}-${rule.end_address}`,
      levelName(rule.level),
      rule.user_id === null ? 'everybody' : (rule.username ?? `number ${rule.user_id}`),
      rule.enabled ? 'on' : 'off',
    ]);
    cli.terminal.print(formatTable(['Id', 'Name', 'Use', 'Addresses', 'Level', 'Account', 'State'], rows));
  });

interface AddOptions {
  readonly level: AccessLevel;
  readonly user?: string;
  readonly name?: string;
  readonly off?: true;
}

const add = (cli: Cli, use: Use, addresses: AddressArgument, options: AddOptions): Promise<void> =>
  cli.withSession(async (session) => {
    const userId = options.user === undefined ? null : await userNamed(session, options.user);
    const rule = {
      name: options.name ?? `${use} ${addresses.startAddress}`,
      level: options.level,
      userId,
      type: use,
      ...addresses,
      enabled: options.off !== true,
    };
    const { result, positions } = await session.commands.send(addAccessRule, rule, session.context());
    await session.watch.waitFor(positions, READABLE_WITHIN_MS);
    cli.terminal.print(`Rule ${result.ruleId} is in the access list.`);
  });

type Decision = (session: Session, ruleId: number) => Promise<{ readonly positions: readonly LogPosition[]; readonly done: string }>;

const switchTo =
  (enabled: boolean): Decision =>
  async ({ commands, context }, ruleId) => ({
    ...(await commands.send(switchAccessRule, { ruleId, enabled }, context())),
    done: `Rule ${ruleId} ${enabled ? 'counts' : 'does not count'}.`,
  });

const remove: Decision = async ({ commands, context }, ruleId) => ({
  ...(await commands.send(removeAccessRule, { ruleId }, context())),
  done: `Rule ${ruleId} is gone.`,
});

const decide = (cli: Cli, ruleId: number, decision: Decision): Promise<void> =>
  cli.withSession(async (session) => {
    const known = await session.db.selectFrom('social.access_rule').select('id').where('id', '=', ruleId).executeTakeFirst();
    if (!known) throw new CliError(`there is no rule ${ruleId}`, '"continuo access list" shows all rules');
    const { positions, done } = await decision(session, ruleId);
    await session.watch.waitFor(positions, READABLE_WITHIN_MS);
    cli.terminal.print(done);
  });

const parseRuleId = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('a rule is named by its number');
  return Number(text);
};

/** `continuo access …`: who may come from where, for what. */
export const accessCommand = (cli: Cli): Command => {
  const command = new Command('access').description('the access list: who may come from where, for what');
  command
    .command('list')
    .description('all rules')
    .action(() => list(cli));
  command
    .command('add')
    .description('admit accounts from an address, a range (first-last) or a network (10.0.0.0/8)')
    .addArgument(new Argument('<use>', 'rpc: the APIs; stream: media; interface: web pages; network: being told to others').choices(uses))
    .addArgument(new Argument('<addresses>').argParser(parseAddresses))
    .option('--level <level>', 'highest level that is asked for here: guest, user, content, catalog or admin', parseLevel, 75)
    .option('--user <account>', 'only this account (default: everybody)')
    .option('--name <name>', 'what the rule is called')
    .option('--off', 'keep it without counting yet')
    .action((use: Use, addresses: AddressArgument, options: AddOptions) => add(cli, use, addresses, options));
  const each = {
    enable: ['let a rule count', switchTo(true)],
    disable: ['keep a rule without counting', switchTo(false)],
    remove: ['remove a rule', remove],
  } as const;
  for (const [name, [description, decision]] of Object.entries(each))
    command
      .command(name)
      .description(description)
      .addArgument(new Argument('<rule>', 'its number').argParser(parseRuleId))
      .action((ruleId: number) => decide(cli, ruleId, decision));
  return command;
};
