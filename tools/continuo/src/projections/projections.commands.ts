import { Command } from 'commander';
import type { RebuildReport } from '@continuo/chassis';
import type { Cli } from '../cli.js';
import { CliError } from '../connect/cli-error.js';
import { formatDuration, formatTable } from '../output/table.js';
import { requestRebuild } from './rebuild.js';
import { projectionStates } from './status.js';

const status = (cli: Cli): Promise<void> =>
  cli.withSession(async (session) => {
    const states = await projectionStates(session);
    const rows = states.map((it) => [
      it.name,
      it.version,
      it.generation,
      it.state,
      it.position,
      it.lastPosition,
      it.lagEvents,
      it.fault ?? 'ok',
    ]);
    cli.terminal.print(formatTable(['Projection', 'Version', 'Generation', 'State', 'Position', 'Log end', 'Lag', 'Health'], rows));
    if (states.some(({ fault }) => fault !== null)) cli.fail();
  });

/** One line per table: its name, whether it equals the live one, its rows and digest. */
const reportRows = (report: RebuildReport): string[][] =>
  Object.entries(report.digests).map(([table, digest]) => {
    const [rows = '', hash = ''] = digest.split(':');
    const against = report.differing.includes(table) ? 'DIFFERS' : 'equal';
    return [report.projection, table, rows, report.compared ? against : 'not compared', hash];
  });

const rebuild = (cli: Cli, wanted: string, verify: boolean): Promise<void> =>
  cli.withSession(async (session) => {
    const names = [...new Set((await projectionStates(session)).map(({ name }) => name))];
    const meant = wanted === 'all' ? names : names.filter((name) => name === wanted);
    if (meant.length === 0) throw new CliError(`there is no projection "${wanted}"`, `there are ${names.join(', ') || 'none yet'}`);
    const rows: string[][] = [];
    for (const name of meant) {
      const report = await requestRebuild(session, name, verify ? 'verify' : 'replace');
      const verb = verify ? 'compared' : 'rebuilt';
      cli.terminal.print(`${name} ${verb} up to position ${report.position} in ${formatDuration(report.durationMs)}.`);
      rows.push(...reportRows(report));
      if (report.differing.length > 0) cli.fail();
    }
    cli.terminal.print(formatTable(['Projection', 'Table', 'Rows', 'Against live', 'Digest'], rows));
  });

/** `continuo projections …`: the tables that are filled from the log. */
export const projectionsCommand = (cli: Cli): Command => {
  const command = new Command('projections').description('tables that are filled from the log');
  command
    .command('status')
    .description('how far each one is')
    .action(() => status(cli));
  command
    .command('rebuild')
    .description('fill fresh tables from the first event, then put them in place; readers see the old ones meanwhile')
    .argument('<name>', 'a projection, or "all"')
    .option('--verify', 'only compare the fresh tables with the live ones and drop them; exit code 1 when one differs', false)
    .action((name: string, options: { verify: boolean }) => rebuild(cli, name, options.verify));
  return command;
};
