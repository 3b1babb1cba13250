import { setTimeout as delay } from 'node:timers/promises';
import {
  cancelTranscodeBatch,
  MAX_BATCH_ITEMS,
  startTranscodeBatch,
  transcodeBatchId,
  transcodeFormat,
  transcodeProfile,
  type TranscodeBatchTable,
  type TranscodeProfile,
} from '@continuo/contracts';
import { Argument, Command, Option } from 'commander';
import type { Cli } from '../cli.js';
import { CliError } from '../connect/cli-error.js';
import type { Session } from '../connect/session.js';
import { counted, formatTable } from '../output/table.js';
import { batchDuration, describeBatch, profileText } from './batch-text.js';
import { findMedia, mediaKinds, type MediaKind } from './find-media.js';

const POLL_MS = 500;
/** A batch that does not show within this time will not: the transcoding service is not there. */
const SHOWS_WITHIN_MS = 15_000;
const LISTED = 50;

interface MakeOptions {
  readonly to: string;
  readonly kbps?: string;
  readonly rate?: string;
  readonly channels?: string;
  readonly wait: boolean;
}

const batches = ({ db }: Pick<Session, 'db'>) => db.selectFrom('transcoding.batch').selectAll();

/** What a field of a profile is called here. */
const optionOf: Readonly<Record<string, string>> = {
  format: '--to',
  bitrateKbps: '--kbps',
  sampleRateHz: '--rate',
  channels: '--channels',
};

/** What the options mean. @throws CliError when a number is out of its bounds */
export const profileOf = ({ to, kbps, rate, channels }: Omit<MakeOptions, 'wait'>): TranscodeProfile => {
  const given = {
    format: to,
    ...(kbps === undefined ? {} : { bitrateKbps: Number(kbps) }),
    ...(rate === undefined ? {} : { sampleRateHz: Number(rate) }),
    ...(channels === undefined ? {} : { channels: Number(channels) }),
  };
  const profile = transcodeProfile.safeParse(given);
  if (profile.success) return profile.data;
  const [issue] = profile.error.issues;
  throw new CliError(
    `${optionOf[String(issue?.path[0])] ?? 'the profile'} cannot be used: ${issue?.message ?? ''}`,
    '--help shows what can be given',
  );
};

/** Follows a batch until its end. */
const follow = async (cli: Cli, session: Session, id: string): Promise<TranscodeBatchTable> => {
  const startedMs = Date.now();
  let told = '';
  for (;;) {
    const batch = await batches(session).where('id', '=', id).executeTakeFirst();
    if (!batch && Date.now() - startedMs > SHOWS_WITHIN_MS)
      throw new CliError('the batch was taken but does not begin', '"continuo doctor" tells what is missing');
    const line = batch ? describeBatch(batch) : '';
    if (line !== told) cli.terminal.warn(line);
    told = line;
    if (batch && batch.state !== 'running') return batch;
    await delay(POLL_MS);
  }
};

const failures = ({ db }: Session, id: string) =>
  db
    .selectFrom('transcoding.batch_item')
    .select(['index', 'type', 'object_id as objectId', 'reason'])
    .where('batch_id', '=', id)
    .where('outcome', '=', 'failed')
    .orderBy('index')
    .limit(LISTED)
    .execute();

const printBatch = async (cli: Cli, session: Session, batch: TranscodeBatchTable): Promise<void> => {
  const { title, profile, state } = batch;
  cli.terminal.print(`${title} to ${profileText(profile)}: ${state}, ${batchDuration(batch, Date.now())}. ${describeBatch(batch)}.`);
  const rows = (await failures(session, batch.id)).map(({ type, objectId, reason }) => [type, objectId, reason]);
  if (rows.length > 0) cli.terminal.print(formatTable(['Kind', 'Number', 'Why there is none'], rows));
};

const make = (cli: Cli, kind: MediaKind, wanted: string, options: MakeOptions): Promise<void> =>
  cli.withSession(async (session) => {
    const profile = profileOf(options);
    const { title, items } = await findMedia(session, kind, wanted);
    if (items.length > MAX_BATCH_ITEMS)
      throw new CliError(`${counted(items.length, 'file')} are too many for one batch`, `at most ${MAX_BATCH_ITEMS}: make smaller parts`);
    const { result } = await session.commands.send(startTranscodeBatch, { title, profile, items: [...items] }, session.context());
    if (!options.wait) return cli.terminal.print(`Batch ${result.batchId} of ${counted(items.length, 'file')} is queued.`);
    const batch = await follow(cli, session, result.batchId);
    if (batch.failed > 0 || batch.state !== 'finished') cli.fail();
    await printBatch(cli, session, batch);
  });

const list = (cli: Cli): Promise<void> =>
  cli.withSession(async (session) => {
    const found = await batches(session).orderBy('requested_at_ms', 'desc').orderBy('id').limit(LISTED).execute();
    const rows = found.map((one) => [one.id, one.title, profileText(one.profile), one.state, describeBatch(one)]);
    cli.terminal.print(formatTable(['Batch', 'Title', 'To', 'State', 'Progress'], rows));
  });

/** @throws CliError when there is no such batch */
const findBatch = async (session: Session, wanted: string): Promise<TranscodeBatchTable> => {
  const found = await batches(session).where('id', '=', wanted).executeTakeFirst();
  if (!found) throw new CliError(`there is no batch "${wanted}"`, '"continuo transcode list" shows them');
  return found;
};

const show = (cli: Cli, wanted: string): Promise<void> =>
  cli.withSession(async (session) => printBatch(cli, session, await findBatch(session, wanted)));

const cancel = (cli: Cli, wanted: string): Promise<void> =>
  cli.withSession(async (session) => {
    const { id, title, state } = await findBatch(session, wanted);
    if (state !== 'running') return cli.terminal.print(`${title} is ${state} already.`);
    await session.commands.send(cancelTranscodeBatch, { batchId: transcodeBatchId.parse(id) }, session.context());
    cli.terminal.print(`Nothing more is made of ${title}; what is made stays.`);
  });

/** `continuo transcode …`: media brought into another form before anybody asks for them. */
export const transcodeCommand = (cli: Cli): Command => {
  const command = new Command('transcode').description('bring media into another form before anybody asks for them');
  command
    .command('make')
    .description('make files ahead, for example: transcode make album "Kind of Blue" --to opus --kbps 96')
    .addArgument(new Argument('<kind>').choices([...mediaKinds]))
    .argument('<which>', 'its number, or its name')
    .addOption(new Option('--to <format>').choices(transcodeFormat.options).makeOptionMandatory())
    .option('--kbps <number>', 'bit rate of the sound; default: the usual one of the format')
    .option('--rate <hertz>', 'sample rate; default: as in the file')
    .option('--channels <number>', 'default: as in the file')
    .option('--no-wait', 'return at once instead of showing progress')
    .action((kind: MediaKind, wanted: string, options: MakeOptions) => make(cli, kind, wanted, options));
  command
    .command('list')
    .description('the latest batches')
    .action(() => list(cli));
  command
    .command('show <batch>')
    .description('how far a batch is, and what could not be made')
    .action((wanted: string) => show(cli, wanted));
  command
    .command('cancel <batch>')
    .description('make nothing more of a batch')
    .action((wanted: string) => cancel(cli, wanted));
  return command;
};
