import type { ManageTypes } from '@continuo/client';
import { Command } from 'commander';
import { OperatorError, formatDuration } from '@continuo/operations';
import type { Cli } from '../cli.js';
import type { Api } from '../connect/api.js';
import { followWork } from '../output/follow-work.js';
import { formatTable } from '../output/table.js';

type Projection = ManageTypes['schemas']['Projection'];
type Rebuild = ManageTypes['schemas']['ProjectionRebuild'];

const projectionsOf = (api: Api): Promise<Projection[]> =>
  api.all((client, cursor) => client.GET('/projections', { params: { query: { limit: 500, ...cursor } } }));

const status = async (cli: Cli): Promise<void> => {
  const generations = (await projectionsOf(await cli.api())).flatMap(({ name, logEnd, live, building }) =>
    Object.entries({ live, building }).flatMap(([state, it]) => (it ? [{ name, logEnd, state, ...it }] : [])),
  );
  const rows = generations.map((it) => [
    it.name,
    it.version,
    it.generation,
    it.state,
    it.position,
    it.logEnd,
    it.lagEvents,
    it.fault ?? 'ok',
  ]);
  cli.terminal.print(formatTable(['Projection', 'Version', 'Generation', 'State', 'Position', 'Log end', 'Lag', 'Health'], rows));
  if (generations.some(({ fault }) => fault !== null)) cli.fail();
};

interface RebuildOptions {
  readonly verify: boolean;
  readonly acceptLoss: boolean;
}

/** Has a projection rebuilt or compared, and follows that to its end. @throws OperatorError when it fails */
const rebuildOne = async (cli: Cli, api: Api, projection: string, { verify, acceptLoss }: RebuildOptions) => {
  const body = { projection, mode: verify ? 'verify' : 'replace', acceptLoss } as const;
  const begun = await api.ask((client) => client.POST('/projection-rebuilds', { body }));
  const path = { id: begun.id };
  const read = (): Promise<Rebuild> => api.ask((client) => client.GET('/projection-rebuilds/{id}', { params: { path } }));
  const { comparison, problem } = await followWork(cli.terminal, { label: projection, begun, read });
  if (!comparison)
    throw new OperatorError(problem ?? `the rebuild of ${projection} did not end`, 'the log of the service that owns it has the details');
  return comparison;
};

/** Whether a fresh table is as the live one. */
const against = (equal: boolean | null): string => (equal === null ? 'not compared' : equal ? 'equal' : 'DIFFERS');

const rebuild = async (cli: Cli, wanted: string, options: RebuildOptions): Promise<void> => {
  const api = await cli.api();
  const names = (await projectionsOf(api)).map(({ name }) => name);
  const meant = wanted === 'all' ? names : names.filter((name) => name === wanted);
  if (meant.length === 0) throw new OperatorError(`there is no projection "${wanted}"`, `there are ${names.join(', ') || 'none yet'}`);
  const rows: string[][] = [];
  for (const name of meant) {
    const { position, durationMs, tables } = await rebuildOne(cli, api, name, options);
    cli.terminal.print(`${name} ${options.verify ? 'compared' : 'rebuilt'} up to position ${position} in ${formatDuration(durationMs)}.`);
    for (const table of tables.filter(({ lostRows }) => lostRows > 0))
      cli.terminal.print(
        `${name}: ${table.name} ${options.verify ? 'would lose' : 'has lost'} ${table.lostRows} of ${table.rows + table.lostRows} rows.`,
      );
    rows.push(...tables.map((table) => [name, table.name, String(table.rows), against(table.equal), table.digest]));
    if (tables.some(({ equal }) => equal === false)) cli.fail();
  }
  cli.terminal.print(formatTable(['Projection', 'Table', 'Rows', 'Against live', 'Digest'], rows));
};

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
    .option('--accept-loss', 'put them in place although some have fewer rows than the live ones', false)
    .action((name: string, options: { verify: boolean; acceptLoss: boolean }) => rebuild(cli, name, options));
  return command;
};
