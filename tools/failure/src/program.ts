import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { repository } from './config.js';
import { nightly } from './nightly/nightly.js';
import { isGood, rowFailures, rowLines, tableLines, type RowResult } from './rows/print-table.js';
import type { Row } from './rows/row.js';
import { keepReport, runRow } from './rows/run-rows.js';
import { rows } from './rows/table.js';
import { rebuildCommand, rollingUpgradeCommand, type Print, type Run } from './upgrade/upgrade.commands.js';

const folder = join(repository, '.cache', 'failure');

const whole = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('expected a whole number, 1 or more');
  return value;
};

const aSeed = (): number => 1 + Math.floor(Math.random() * 1_000_000);

const runRows = async (chosen: readonly Row[], { seed = aSeed(), rounds }: { seed?: number; rounds?: number }, print: Print) => {
  const results: RowResult[] = [];
  for (const row of chosen) {
    print(`${row.name}: ${row.event}, seed ${seed}`);
    const result = await runRow(row, { folder, seed, rounds, say: (line) => print(`  ${line}`) });
    if ('report' in result) for (const line of rowLines(result.report)) print(line);
    results.push(result);
  }
  for (const line of tableLines(results)) print(line);
  if (!results.every(isGood)) process.exitCode = 1;
};

const rowCommands = (print: Print): Command[] => [
  new Command('list').description('what can happen, and why nothing is lost').action(() => {
    for (const { name, event, by } of rows) print(`${name.padEnd(24)} ${event}: ${by}`);
  }),
  new Command('row')
    .description('runs some of what `list` names')
    .argument('<names...>')
    .option('--rounds <n>', 'how often the fault comes', whole)
    .option('--seed <n>', 'repeats a run', whole)
    .action((names: string[], options: { seed?: number; rounds?: number }) => {
      const unknown = names.filter((name) => !rows.some((row) => row.name === name));
      if (unknown.length > 0) throw new InvalidArgumentError(`there is no ${unknown.join(', ')}; \`list\` names all`);
      return runRows(
        rows.filter(({ name }) => names.includes(name)),
        options,
        print,
      );
    }),
  new Command('table')
    .description('runs everything that `list` names and prints the table with its figures')
    .option('--seed <n>', 'repeats a run', whole)
    .action((options: { seed?: number }) => runRows(rows, options, print)),
  new Command('nightly')
    .description('random rounds over all rows')
    .option('--rounds <n>', 'rounds in all', whole, 200)
    .option('--minutes <n>', 'begins nothing new after so long', whole)
    .option('--seed <n>', 'repeats a night', whole)
    .action(async ({ seed = aSeed(), ...options }: { rounds: number; minutes?: number; seed?: number }) => {
      if (!(await nightly({ ...options, seed, folder, print }))) process.exitCode = 1;
    }),
];

/** The command line of the failure suite. The exit code is 1 when a check does not hold. */
export const failureProgram = (print: Print): Command => {
  const run: Run = async (work) => {
    const report = await work();
    for (const line of rowLines(report)) print(line);
    print(`report: ${await keepReport(folder, report)}`);
    if (rowFailures(report).length > 0) process.exitCode = 1;
  };
  const program = new Command('failure').description('kills processes of a running system and checks that nothing is lost or doubled');
  for (const command of [...rowCommands(print), rollingUpgradeCommand(run, print), rebuildCommand(run, print)]) program.addCommand(command);
  return program;
};
