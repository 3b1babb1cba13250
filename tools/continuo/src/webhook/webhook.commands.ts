import { listDeadLetters, replayDeadLetters } from '@continuo/chassis';
import {
  addWebhook,
  allPublicEventTypes,
  disableWebhook,
  enableWebhook,
  publicEventPattern,
  publicEventTypes,
  removeWebhook,
  testWebhook,
  webhookSecret,
  type LogPosition,
  type WebhookTable,
} from '@continuo/contracts';
import { Command, InvalidArgumentError } from 'commander';
import type { Cli } from '../cli.js';
import { CliError } from '../connect/cli-error.js';
import type { Session } from '../connect/session.js';
import { counted, formatTable } from '../output/table.js';
import { userNamed } from '../user/find-user.js';
import { webhookNumbered } from './find-webhook.js';

const READABLE_WITHIN_MS = 5000;
/** A receiver has its time to answer, and the service some more. */
const TEST_TIMEOUT_MS = 30_000;
const LEAST_ERROR = 300;
const SHOWN = 50;

const readable = async (session: Session, positions: readonly LogPosition[]): Promise<void> => {
  await session.watch.waitFor(positions, READABLE_WITHIN_MS);
};

interface AddOptions {
  readonly events: string[];
  readonly user?: string;
  readonly name: string;
  readonly secret?: string;
}

const add = (cli: Cli, url: string, { events: patterns, user, name, secret }: AddOptions): Promise<void> =>
  cli.withSession(async (session) => {
    const userId = user === undefined ? null : await userNamed(session, user);
    const data = { url, patterns, userId, name, ...(secret === undefined ? {} : { secret }) };
    const { result, positions } = await session.commands.send(addWebhook, data, session.context());
    await readable(session, positions);
    cli.terminal.print(
      `Webhook ${result.webhookId} is told of ${patterns.join(', ')}${user === undefined ? '' : `, as far as ${user} may see it`}.`,
    );
    if (secret === undefined) cli.terminal.print(`Its secret, shown only now: ${result.secret}`);
  });

const endings: Readonly<Record<NonNullable<WebhookTable['ended_by']>, string>> = {
  operator: 'off',
  gone: 'off: the receiver is gone',
  failing: 'off: never took anything',
};

const list = (cli: Cli): Promise<void> =>
  cli.withSession(async ({ db }) => {
    const rows = await db
      .selectFrom('social.webhook as w')
      .leftJoin('social.user as u', 'u.id', 'w.user_id')
      .select(['w.id', 'w.name', 'w.host', 'w.patterns', 'w.enabled', 'w.ended_by', 'w.user_id', 'u.username'])
      .orderBy('w.id')
      .execute();
    const cells = rows.map((row) => [
      row.id,
      row.name,
      row.host,
      row.patterns.join(' '),
      row.user_id === null ? 'operator' : (row.username ?? 'nobody any more'),
      row.enabled ? 'on' : endings[row.ended_by ?? 'operator'],
    ]);
    cli.terminal.print(formatTable(['Id', 'Name', 'Host', 'Events', 'Sees as', 'State'], cells));
  });

const change = (
  cli: Cli,
  wanted: string,
  command: typeof removeWebhook | typeof enableWebhook | typeof disableWebhook,
  done: string,
): Promise<void> =>
  cli.withSession(async (session) => {
    const { id } = await webhookNumbered(session, wanted);
    const { positions } = await session.commands.send(command, { webhookId: id }, session.context());
    await readable(session, positions);
    cli.terminal.print(`Webhook ${id} ${done}.`);
  });

const test = (cli: Cli, wanted: string): Promise<void> =>
  cli.withSession(async (session) => {
    const { id, host } = await webhookNumbered(session, wanted);
    const sent = await session.commands.send(testWebhook, { webhookId: id }, session.context(), { timeoutMs: TEST_TIMEOUT_MS });
    const { status, fault, durationMs } = sent.result;
    const isTaken = status !== null && status < LEAST_ERROR;
    cli.terminal.print(
      isTaken
        ? `${host} answered ${status} after ${durationMs} ms.`
        : `${host} did not take it after ${durationMs} ms: ${fault ?? status}.`,
    );
    if (!isTaken) cli.fail();
  });

const time = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString().slice(0, 19));

const deliveries = (cli: Cli, wanted: string): Promise<void> =>
  cli.withSession(async (session) => {
    const { id } = await webhookNumbered(session, wanted);
    const rows = await session.db
      .selectFrom('social.webhook_delivery')
      .selectAll()
      .where('webhook_id', '=', id)
      .orderBy('last_at_ms', 'desc')
      .limit(SHOWN)
      .execute();
    const cells = rows.map((row) => [
      row.event_id,
      row.type,
      row.outcome,
      row.attempts,
      row.status === null ? '-' : String(row.status),
      time(row.last_at_ms),
      time(row.next_at_ms),
      row.fault ?? '',
    ]);
    cli.terminal.print(formatTable(['Event', 'Type', 'Outcome', 'Attempts', 'Status', 'Last attempt', 'Next attempt', 'Fault'], cells));
    if (rows.length === SHOWN) cli.terminal.print(`Only the latest ${SHOWN} are shown.`);
  });

const replay = (cli: Cli, wanted: string): Promise<void> =>
  cli.withSession(async (session) => {
    const { id, enabled } = await webhookNumbered(session, wanted);
    if (!enabled) throw new CliError(`webhook ${id} is off`, `"continuo webhook enable ${id}" lets it be told again`);
    const sequences: number[] = [];
    const prefix = `react.social-webhook-${id}-`;
    for await (const letter of listDeadLetters(session.nats, { subject: 'react.>' }))
      if (letter.subject.startsWith(prefix)) sequences.push(letter.sequence);
    const replayed = sequences.length === 0 ? 0 : await replayDeadLetters(session.nats, { sequences });
    cli.terminal.print(replayed === 0 ? 'Nothing to replay.' : `${counted(replayed, 'event')} told again.`);
  });

const patternOf = (text: string, before: string[] = []): string[] => {
  if (!publicEventPattern.safeParse(text).success)
    throw new InvalidArgumentError(`"${text}" names no event; "continuo webhook events" shows them`);
  return [...before, text];
};

const secretOf = (text: string): string => {
  const parsed = webhookSecret.safeParse(text);
  if (!parsed.success) throw new InvalidArgumentError('expected whsec_ and 24 to 64 bytes in base64');
  return parsed.data;
};

const addCommand = (cli: Cli): Command =>
  new Command('add')
    .description('tell a server elsewhere what happens')
    .argument('<url>', 'where to POST to')
    .requiredOption('--events <patterns...>', 'types, families such as "play.*", or "*"', patternOf)
    .option('--user <name>', 'tell what this account may see, its private doings included (default: what administrators see)')
    .option('--name <name>', 'for lists', '')
    .option('--secret <whsec_…>', 'secret for the signatures (default: one is made up)', secretOf)
    .action((url: string, options: AddOptions) => add(cli, url, options));

/** `continuo webhook …`: servers elsewhere that are told what happens. */
export const webhookCommand = (cli: Cli): Command => {
  const command = new Command('webhook').description('servers elsewhere that are told what happens');
  command.addCommand(addCommand(cli));
  const on = (name: string, description: string, action: (id: string) => Promise<void>): void => {
    command.command(`${name} <id>`).description(description).action(action);
  };
  command
    .command('list')
    .description('which there are')
    .action(() => list(cli));
  on('remove', 'remove a webhook with everything that waits for it', (id) => change(cli, id, removeWebhook, 'is gone'));
  on('enable', 'tell it again, of what happens from now on', (id) => change(cli, id, enableWebhook, 'is told again'));
  on('disable', 'tell it nothing more', (id) => change(cli, id, disableWebhook, 'is told nothing more'));
  on('test', 'send it a test, and show what it answers', (id) => test(cli, id));
  on('deliveries', `how the latest ${SHOWN} deliveries went`, (id) => deliveries(cli, id));
  on('replay', 'tell it again of what was put aside', (id) => replay(cli, id));
  command
    .command('events')
    .description('what can be told')
    .action(() =>
      cli.terminal.print(
        formatTable(
          ['Type', 'Means'],
          allPublicEventTypes.map((type) => [type, publicEventTypes[type]]),
        ),
      ),
    );
  return command;
};
