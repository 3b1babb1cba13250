import { Command, InvalidArgumentError } from 'commander';
import { runCampaign } from './campaign/campaign.js';
import { reportOf } from './campaign/report.js';

const whole = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('a whole number');
  return Number(text);
};

interface Options {
  readonly requests: number;
  readonly seed: number;
  readonly lanes: number;
  readonly quiet?: true;
}

/** The program `main.ts` runs; ends with 1 when something is at fault. */
export const fuzzProgram = (say: (line: string) => void): Command =>
  new Command('fuzz')
    .description('Sends made-up requests to all surfaces of a server of its own, and tells what is wrong with the answers.')
    .option('--requests <number>', 'how many requests', whole, 3000)
    .option(
      '--seed <number>',
      'what they are made of: the same requests for the same number, as far as one does not depend on the answer to another',
      whole,
      1,
    )
    .option('--lanes <number>', 'how many at the same time', whole, 6)
    .option('--quiet', 'says nothing before the end')
    .action(async ({ quiet, ...plan }: Options) => {
      const result = await runCampaign(plan, quiet ? undefined : say);
      say(reportOf(plan, result));
      if (result.tally.findings.length > 0) process.exitCode = 1;
    });
