import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { killBatches } from './batches/kill-batches.js';
import { repository } from './config.js';
import { killDownloads } from './downloads/kill-downloads.js';
import type { Kill } from './killing/killer.js';
import { killPlays } from './plays/kill-plays.js';
import { failures, reportLines, writeReport, type Report } from './report/report.js';
import { nightly } from './nightly/nightly.js';
import { isGood, rowLines, tableLines, type RowResult } from './rows/print-table.js';
import type { Row } from './rows/row.js';
import { runRow } from './rows/run-rows.js';
import { rows } from './rows/table.js';
import { killScan } from './scans/kill-scan.js';
import { killTranscodes } from './transcodes/kill-transcodes.js';
import { rebuildCommand, rollingUpgradeCommand } from './upgrade/upgrade.commands.js';
import { killWrites } from './writes/kill-writes.js';

const folder = join(repository, '.cache', 'failure');

const whole = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('expected a whole number, 1 or more');
  return value;
};

/** Prints one line for a person. */
export type Print = (line: string) => void;

const aSeed = (): number => 1 + Math.floor(Math.random() * 1_000_000);

const killLine = ({ round, parts, victim, pids, atMs, downMs, during }: Kill): string =>
  `${String(round).padStart(3)}  ${(atMs / 1000).toFixed(1).padStart(6)} s  kill -9 ${victim} (${parts.map((part, index) => `${part} ${pids[index]}`).join(', ')}), down ${downMs} ms, during: ${during}`;

/** Runs a scenario, prints its report and keeps it. */
export type Run = (scenario: string, seed: number, work: (onKill: (kill: Kill) => void) => Promise<Report>) => Promise<void>;

const killPlaysCommand = (run: Run): Command =>
  new Command('kill-plays')
    .description('kills while listeners play and keep their own account')
    .option('--rounds <n>', 'kills', whole, 20)
    .option('--listeners <n>', 'listeners at the same time', whole, 6)
    .option('--seed <n>', 'repeats a series', whole)
    .action(({ seed = aSeed(), ...options }: { rounds: number; listeners: number; seed?: number }) =>
      run('kill-plays', seed, (onKill) => killPlays({ ...options, seed, home: join(folder, 'kill-plays'), onKill })),
    );

const killBatchesCommand = (run: Run): Command =>
  new Command('kill-batches')
    .description('kills NATS while atomic batches are written')
    .option('--rounds <n>', 'kills', whole, 40)
    .option('--events <n>', 'events per batch', whole, 200)
    .option('--seed <n>', 'repeats a series', whole)
    .action(({ rounds, events, seed = aSeed() }: { rounds: number; events: number; seed?: number }) =>
      run('kill-batches', seed, (onKill) =>
        killBatches({ rounds, eventsPerBatch: events, seed, home: join(folder, 'kill-batches'), onKill }),
      ),
    );

const killDownloadsCommand = (run: Run): Command =>
  new Command('kill-downloads')
    .description('kills workers and servers while files of podcasts are fetched')
    .option('--rounds <n>', 'kills', whole, 18)
    .option('--files <n>', 'episodes of each podcast', whole, 8)
    .option('--seconds <n>', 'length of each episode', whole, 60)
    .option('--seed <n>', 'repeats a series', whole)
    .action(({ seed = aSeed(), ...options }: { rounds: number; files: number; seconds: number; seed?: number }) =>
      run('kill-downloads', seed, (onKill) => killDownloads({ ...options, seed, home: join(folder, 'kill-downloads'), onKill })),
    );

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
    .description('random rounds over all scenarios and rows')
    .option('--rounds <n>', 'rounds in all', whole, 200)
    .option('--minutes <n>', 'begins nothing new after so long', whole)
    .option('--seed <n>', 'repeats a night', whole)
    .action(async ({ seed = aSeed(), ...options }: { rounds: number; minutes?: number; seed?: number }) => {
      if (!(await nightly({ ...options, seed, folder, print }))) process.exitCode = 1;
    }),
];

/** The command line of the failure suite. The exit code is 1 when a check does not hold. */
export const failureProgram = (print: Print): Command => {
  const run: Run = async (scenario, seed, work) => {
    print(`${scenario}, seed ${seed}`);
    const report = await work((kill) => print(killLine(kill)));
    for (const line of reportLines(report)) print(line);
    print(`report: ${await writeReport(folder, report)}`);
    if (failures(report).length > 0) process.exitCode = 1;
  };
  const program = new Command('failure')
    .description('kills processes of a running system and checks that nothing is lost or doubled')
    .addCommand(
      new Command('kill-scan')
        .description('kills during scans of real files')
        .option('--rounds <n>', 'kills', whole, 20)
        .option('--files <n>', 'media files per scan', whole, 2000)
        .option('--seed <n>', 'repeats a series', whole)
        .action((options: { rounds: number; files: number; seed?: number }) => {
          const seed = options.seed ?? aSeed();
          return run('kill-scan', seed, (onKill) =>
            killScan({ ...options, seed, home: join(folder, 'kill-scan'), musicFolder: folder, onKill }),
          );
        }),
    )
    .addCommand(
      new Command('kill-writes')
        .description('kills while writers send folders and keep their own account')
        .option('--rounds <n>', 'kills', whole, 20)
        .option('--writers <n>', 'writers at the same time', whole, 6)
        .option('--seed <n>', 'repeats a series', whole)
        .action((options: { rounds: number; writers: number; seed?: number }) => {
          const seed = options.seed ?? aSeed();
          return run('kill-writes', seed, (onKill) => killWrites({ ...options, seed, home: join(folder, 'kill-writes'), onKill }));
        }),
    )
    .addCommand(killPlaysCommand(run))
    .addCommand(
      new Command('kill-transcodes')
        .description('kills workers and servers while media are made ahead')
        .option('--rounds <n>', 'kills', whole, 18)
        .option('--files <n>', 'songs of each batch', whole, 12)
        .option('--seconds <n>', 'length of each song', whole, 60)
        .option('--seed <n>', 'repeats a series', whole)
        .action((options: { rounds: number; files: number; seconds: number; seed?: number }) => {
          const seed = options.seed ?? aSeed();
          return run('kill-transcodes', seed, (onKill) =>
            killTranscodes({ ...options, seed, home: join(folder, 'kill-transcodes'), onKill }),
          );
        }),
    )
    .addCommand(rollingUpgradeCommand(run, print))
    .addCommand(rebuildCommand(run, print))
    .addCommand(killDownloadsCommand(run))
    .addCommand(killBatchesCommand(run));
  for (const command of rowCommands(print)) program.addCommand(command);
  return program;
};
