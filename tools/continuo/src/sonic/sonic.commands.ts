import { Command } from 'commander';
import { counted, formatCount, formatDuration, OperatorError } from '@continuo/operations';
import { listedCatalogs } from '../catalog/find-listed-catalog.js';
import type { Cli } from '../cli.js';
import { orNotFound, type Api } from '../connect/api.js';
import { followWork, stateText, workDurationMs } from '../output/follow-work.js';
import { formatTable } from '../output/table.js';
import { describeRun, type Run } from './sonic-text.js';

const LISTED_RUNS = 10;
const LISTED_FAILURES = 50;

interface AnalyseOptions {
  readonly catalog?: string;
  readonly again?: boolean;
  readonly wait: boolean;
}

const took = (run: Run): string => formatDuration(workDurationMs(run, Date.now()));

/** @throws OperatorError when there is not exactly one */
const catalogIdOf = async (api: Api, wanted: string): Promise<number> => {
  const [catalog, another] = await listedCatalogs(api, wanted);
  if (!catalog || another) throw new OperatorError(`there is not one catalog "${wanted}"`, '"continuo catalog list" shows them');
  return catalog.id;
};

const analyse = async (cli: Cli, { catalog, again = false, wait }: AnalyseOptions): Promise<void> => {
  const api = await cli.api();
  const body = { again, ...(catalog === undefined ? {} : { catalogId: await catalogIdOf(api, catalog) }) };
  const begun = await api.ask((client) => client.POST('/sonic/runs', { body }));
  if (!wait) return cli.terminal.print(`Run ${begun.id} has begun.`);
  const path = { id: begun.id };
  const read = (): Promise<Run> => api.ask((client) => client.GET('/sonic/runs/{id}', { params: { path } }));
  const run = await followWork(cli.terminal, { label: 'Analysing', begun, read, describe: describeRun });
  if (run.state !== 'done') cli.fail();
  cli.terminal.print(`${stateText(run)} after ${took(run)}: ${describeRun(run)}.`);
};

/** The latest runs, at most `most` when given. */
const runsOf = (api: Api, most?: number): Promise<Run[]> =>
  api.all((client, cursor) => client.GET('/sonic/runs', { params: { query: { limit: most ?? 500, ...cursor } } }), most);

const printFailures = async (cli: Cli, api: Api): Promise<void> => {
  const failed = await api.all(
    (client, cursor) => client.GET('/sonic/failures', { params: { query: { limit: LISTED_FAILURES, ...cursor } } }),
    LISTED_FAILURES,
  );
  if (failed.length === 0) return;
  const rows = failed.map(({ songId, title, reason }) => [songId, title, reason]);
  cli.terminal.print(formatTable(['Song', 'Title', 'Why it is not analysed'], rows));
};

const status = async (cli: Cli): Promise<void> => {
  const api = await cli.api();
  const known = await api.ask((client) => client.GET('/sonic'));
  const { plugin, title, model, problem } = known;
  if (plugin === null) {
    cli.terminal.print(`Nothing compares sounds: ${problem ?? 'no plug-in is switched on'}.`);
    return cli.fail();
  }
  if (model === null) return cli.terminal.print(`${title} (${plugin}) compares sounds elsewhere.`);
  const failed = known.failed > 0 ? `, ${formatCount(known.failed)} cannot be analysed` : '';
  cli.terminal.print(`${title} (${plugin}), model ${model}.`);
  cli.terminal.print(
    `${formatCount(known.analysed)} of ${counted(known.songs, 'song')} analysed${failed}; ${formatCount(known.inMemory)} in memory of one server.`,
  );
  const rows = (await runsOf(api, LISTED_RUNS)).map((run) => [run.id, stateText(run), took(run), describeRun(run)]);
  if (rows.length > 0) cli.terminal.print(formatTable(['Run', 'State', 'Took', 'Progress'], rows));
  await printFailures(cli, api);
};

const SHOWN_BY = '"continuo sonic status" shows them';

/** The run that is meant: the only one that goes on when none is named. @throws OperatorError when there is no such run */
const findRun = async (api: Api, wanted: string | undefined): Promise<Run> => {
  if (wanted !== undefined) {
    const path = { id: wanted };
    const found = await orNotFound(
      'path.not-found',
      api.ask((client) => client.GET('/sonic/runs/{id}', { params: { path } })),
    );
    if (!found) throw new OperatorError(`there is no run "${wanted}"`, SHOWN_BY);
    return found;
  }
  const [run, another] = (await runsOf(api)).filter(({ state }) => state === 'running');
  if (!run) throw new OperatorError('no run goes on', SHOWN_BY);
  if (another) throw new OperatorError('several runs go on: name one', SHOWN_BY);
  return run;
};

const cancel = async (cli: Cli, wanted: string | undefined): Promise<void> => {
  const api = await cli.api();
  const run = await findRun(api, wanted);
  const { id, state } = run;
  if (state !== 'running') return cli.terminal.print(`Run ${id} is ${stateText(run)} already.`);
  await api.ask((client) => client.POST('/sonic/runs/{id}/cancel', { params: { path: { id } } }));
  cli.terminal.print(`Nothing more is analysed for run ${id}; what is known stays.`);
};

/** `continuo sonic …`: what songs sound like. */
export const sonicCommand = (cli: Cli): Command => {
  const command = new Command('sonic').description('find out what songs sound like');
  command
    .command('analyse')
    .description('analyse the songs that nobody has analysed')
    .option('--catalog <catalog>', 'only this one, by name or number')
    .option('--again', 'also those that are known, and those that failed')
    .option('--no-wait', 'return at once instead of showing progress')
    .action((options: AnalyseOptions) => analyse(cli, options));
  command
    .command('status')
    .description('what compares sounds, how many songs are analysed, and the latest runs')
    .action(() => status(cli));
  command
    .command('cancel [run]')
    .description('analyse nothing more for a run; the one that goes on when none is named')
    .action((wanted: string | undefined) => cancel(cli, wanted));
  return command;
};
