import { transcodeFormat, transcodeProfile, type TranscodeProfile } from '@continuo/contracts';
import { Argument, Command, Option } from 'commander';
import { counted, formatDuration, mediaKinds, OperatorError, type MediaKind } from '@continuo/operations';
import type { Cli } from '../cli.js';
import { orNotFound, type Api } from '../connect/api.js';
import { followWork, stateText, workDurationMs } from '../output/follow-work.js';
import { formatTable } from '../output/table.js';
import { describeBatch, profileText, type Batch } from './batch-text.js';

const LISTED = 50;

interface MakeOptions {
  readonly to: string;
  readonly kbps?: string;
  readonly rate?: string;
  readonly channels?: string;
  readonly wait: boolean;
}

/** Option of each profile field. */
const optionOf: Readonly<Record<string, string>> = {
  format: '--to',
  bitrateKbps: '--kbps',
  sampleRateHz: '--rate',
  channels: '--channels',
};

/** Parses the options into a profile. @throws OperatorError when a number is out of its bounds */
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
  throw new OperatorError(
    `${optionOf[String(issue?.path[0])] ?? 'the profile'} cannot be used: ${issue?.message ?? ''}`,
    '--help shows what can be given',
  );
};

const batchNamed = async (api: Api, id: string): Promise<Batch> => {
  const found = await orNotFound(
    'path.not-found',
    api.ask((client) => client.GET('/transcoding/batches/{id}', { params: { path: { id } } })),
  );
  if (!found) throw new OperatorError(`there is no batch "${id}"`, '"continuo transcode list" shows them');
  return found;
};

const printBatch = async (cli: Cli, api: Api, batch: Batch): Promise<void> => {
  const { id, title, profile } = batch;
  const took = formatDuration(workDurationMs(batch, Date.now()));
  cli.terminal.print(`${title} to ${profileText(profile)}: ${stateText(batch)}, ${took}. ${describeBatch(batch)}.`);
  const failures = await api.all(
    (client, cursor) => client.GET('/transcoding/batches/{id}/failures', { params: { path: { id }, query: { limit: LISTED, ...cursor } } }),
    LISTED,
  );
  const rows = failures.map(({ type, objectId, reason }) => [type, objectId, reason]);
  if (rows.length > 0) cli.terminal.print(formatTable(['Kind', 'Number', 'Why there is none'], rows));
};

const make = async (cli: Cli, kind: MediaKind, wanted: string, options: MakeOptions): Promise<void> => {
  const which = /^\d{1,9}$/.test(wanted) ? { id: Number(wanted) } : { name: wanted };
  const body = { kind, ...which, profile: profileOf(options) };
  const api = await cli.api();
  const begun = await api.ask((client) => client.POST('/transcoding/batches', { body }));
  if (!options.wait) return cli.terminal.print(`Batch ${begun.id} of ${counted(begun.progress?.total ?? 0, 'file')} is queued.`);
  const read = (): Promise<Batch> => batchNamed(api, begun.id);
  const batch = await followWork(cli.terminal, { label: `Making ${begun.title}`, begun, read, describe: describeBatch });
  if (batch.failed > 0 || batch.state !== 'done') cli.fail();
  await printBatch(cli, api, batch);
};

const list = async (cli: Cli): Promise<void> => {
  const api = await cli.api();
  const found = await api.all(
    (client, cursor) => client.GET('/transcoding/batches', { params: { query: { limit: LISTED, ...cursor } } }),
    LISTED,
  );
  const rows = found.map((one) => [one.id, one.title, profileText(one.profile), stateText(one), describeBatch(one)]);
  cli.terminal.print(formatTable(['Batch', 'Title', 'To', 'State', 'Progress'], rows));
};

const show = async (cli: Cli, wanted: string): Promise<void> => {
  const api = await cli.api();
  await printBatch(cli, api, await batchNamed(api, wanted));
};

const cancel = async (cli: Cli, wanted: string): Promise<void> => {
  const api = await cli.api();
  const batch = await batchNamed(api, wanted);
  if (batch.state !== 'running') return cli.terminal.print(`${batch.title} is ${stateText(batch)} already.`);
  await api.ask((client) => client.POST('/transcoding/batches/{id}/cancel', { params: { path: { id: batch.id } } }));
  cli.terminal.print(`Nothing more is made of ${batch.title}; what is made stays.`);
};

/** `continuo transcode …`: media brought into another form before anybody asks for them. */
export const transcodeCommand = (cli: Cli): Command => {
  const command = new Command('transcode').description('bring media into another form before anybody asks for them');
  command
    .command('make')
    .description('make files ahead, for example: transcode make album "Kind of Blue" --to opus --kbps 96')
    .addArgument(new Argument('<kind>').choices([...mediaKinds]))
    .argument('<which>', 'its number, or its name')
    .addOption(new Option('--to <format>').choices(transcodeFormat.options).makeOptionMandatory())
    .option('--kbps <number>', 'bit rate, of videos that of everything; default: that of streams that name none (transcode_bitrate)')
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
