import { copyServerArt, counted, formatBytes } from '@continuo/operations';
import { Command } from 'commander';
import { reportOn } from '../backup/report.js';
import type { Cli } from '../cli.js';

interface CopyOptions {
  readonly to: string;
  readonly from?: string;
  readonly json: boolean;
}

const copy = async (cli: Cli, { from, to, json }: CopyOptions): Promise<void> => {
  const report = reportOn(cli.terminal, json);
  const wanted = { access: await cli.locate(), settings: cli.settings(), from, to };
  const outcome = await copyServerArt(wanted, (done) => report.moving(`Pictures: ${done} looked at`));
  const { total, copied, copiedBytes, damaged } = outcome;
  const present = total - copied - damaged.length;
  report.done('Pictures', `${counted(copied, 'picture')} copied, ${formatBytes(copiedBytes)}; ${present} already there`);
  for (const hash of damaged) report.note(`${hash} is damaged and was not copied.`);
  if (damaged.length > 0) cli.fail();
  report.end(
    [`All services with ART_STORAGE=${to} read them there. Copy again after the change, for pictures that were stored meanwhile.`],
    { ...outcome },
  );
};

/** `continuo art …`: where covers and other pictures are kept. */
export const artCommand = (cli: Cli): Command => {
  const command = new Command('art').description('where covers and other pictures are kept');
  command
    .command('copy')
    .description(
      'copy pictures that another storage lacks, and compare each with its hash; the server may run; exit code 1 when one is damaged',
    )
    .requiredOption('--to <storage>', 'folder, nats, s3://bucket/prefix or s3+https://host:port/bucket/prefix')
    .option('--from <storage>', 'the same; default: where the server keeps them (ART_STORAGE)')
    .option('--json', 'print one JSON object at the end, and nothing else', false)
    .action((options: CopyOptions) => copy(cli, options));
  return command;
};
