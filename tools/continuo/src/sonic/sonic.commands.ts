import { setTimeout as delay } from 'node:timers/promises';
import { cancelSonicRun, sonicRunId, sonicStatus, startSonicRun, type CatalogId, type SonicRunTable } from '@continuo/contracts';
import { Command } from 'commander';
import { sql } from 'kysely';
import { findCatalogs } from '../catalog/find-catalog.js';
import type { Cli } from '../cli.js';
import { CliError } from '../connect/cli-error.js';
import type { Session } from '../connect/session.js';
import { counted, formatCount, formatTable } from '../output/table.js';
import { describeRun, runDuration } from './sonic-text.js';

const POLL_MS = 500;
/** A run that does not show within this time will not: the sonic service is not there. */
const SHOWS_WITHIN_MS = 15_000;
const LISTED_RUNS = 10;
const LISTED_FAILURES = 50;

interface AnalyseOptions {
  readonly catalog?: string;
  readonly again?: true;
  readonly wait: boolean;
}

const runs = ({ db }: Pick<Session, 'db'>) => db.selectFrom('sonic.run').selectAll();

/** Follows a run until its end. */
const follow = async (cli: Cli, session: Session, id: string): Promise<SonicRunTable> => {
  const startedMs = Date.now();
  let told = '';
  for (;;) {
    const run = await runs(session).where('id', '=', id).executeTakeFirst();
    if (!run && Date.now() - startedMs > SHOWS_WITHIN_MS)
      throw new CliError('the run was taken but does not begin', '"continuo doctor" tells what is missing');
    const line = run ? describeRun(run) : '';
    if (line !== told) cli.terminal.warn(line);
    told = line;
    if (run && run.state !== 'running') return run;
    await delay(POLL_MS);
  }
};

/** @throws CliError when there is not exactly one */
const catalogIdOf = async (session: Session, wanted: string): Promise<CatalogId> => {
  const [catalog, another] = await findCatalogs(session.db, wanted);
  if (!catalog || another) throw new CliError(`there is not one catalog "${wanted}"`, '"continuo catalog list" shows them');
  return catalog.id;
};

const analyse = (cli: Cli, { catalog, again, wait }: AnalyseOptions): Promise<void> =>
  cli.withSession(async (session) => {
    const wish = { again: again ?? false, ...(catalog === undefined ? {} : { catalogId: await catalogIdOf(session, catalog) }) };
    const { result } = await session.commands.send(startSonicRun, wish, session.context());
    if (!wait) return cli.terminal.print(`Run ${result.runId} has begun.`);
    const run = await follow(cli, session, result.runId);
    if (run.state !== 'finished') cli.fail();
    cli.terminal.print(`${run.state} after ${runDuration(run, Date.now())}: ${describeRun(run)}.`);
  });

const knownSongs = async ({ db }: Session, model: string) => {
  const { rows } = await sql<{ songs: number; heard: number; failed: number }>`
    select count(*)::int as songs, count(*) filter (where k.vector is not null)::int as heard,
      count(*) filter (where k.song_id is not null and k.vector is null)::int as failed
    from library.song s left join sonic.song k on k.song_id = s.id and k.model = ${model}`.execute(db);
  return rows[0] ?? { songs: 0, heard: 0, failed: 0 };
};

const printFailures = async (cli: Cli, { db }: Session, model: string): Promise<void> => {
  const failed = await db
    .selectFrom('sonic.song as k')
    .innerJoin('library.song as s', 's.id', 'k.song_id')
    .select(['s.id', 's.title', 'k.reason'])
    .where('k.model', '=', model)
    .where('k.vector', 'is', null)
    .orderBy('s.id')
    .limit(LISTED_FAILURES)
    .execute();
  if (failed.length === 0) return;
  cli.terminal.print(
    formatTable(
      ['Song', 'Title', 'Why it is not analysed'],
      failed.map(({ id, title, reason }) => [id, title, reason]),
    ),
  );
};

const status = (cli: Cli): Promise<void> =>
  cli.withSession(async (session) => {
    const { result } = await session.commands.send(sonicStatus, {}, session.context());
    const { plugin, problem, songs } = result;
    if (!plugin) {
      cli.terminal.print(`Nothing compares sounds: ${problem ?? 'no plug-in is switched on'}.`);
      return cli.fail();
    }
    if (plugin.model === null) return cli.terminal.print(`${plugin.title} (${plugin.name}) compares sounds elsewhere.`);
    const known = await knownSongs(session, plugin.model);
    const failed = known.failed > 0 ? `, ${formatCount(known.failed)} cannot be analysed` : '';
    cli.terminal.print(`${plugin.title} (${plugin.name}), model ${plugin.model}.`);
    cli.terminal.print(
      `${formatCount(known.heard)} of ${counted(known.songs, 'song')} analysed${failed}; ${formatCount(songs)} in memory of one server.`,
    );
    const latest = await runs(session).orderBy('requested_at_ms', 'desc').orderBy('id').limit(LISTED_RUNS).execute();
    const rows = latest.map((run) => [run.id, run.state, runDuration(run, Date.now()), describeRun(run)]);
    if (rows.length > 0) cli.terminal.print(formatTable(['Run', 'State', 'Took', 'Progress'], rows));
    await printFailures(cli, session, plugin.model);
  });

/** The run that is meant: the only one that goes on when none is named. @throws CliError when there is no such run */
const findRun = async (session: Session, wanted: string | undefined): Promise<SonicRunTable> => {
  const query = wanted === undefined ? runs(session).where('state', '=', 'running') : runs(session).where('id', '=', wanted);
  const [run, another] = await query.limit(2).execute();
  if (!run)
    throw new CliError(wanted === undefined ? 'no run goes on' : `there is no run "${wanted}"`, '"continuo sonic status" shows them');
  if (another) throw new CliError('several runs go on: name one', '"continuo sonic status" shows them');
  return run;
};

const cancel = (cli: Cli, wanted: string | undefined): Promise<void> =>
  cli.withSession(async (session) => {
    const { id, state } = await findRun(session, wanted);
    if (state !== 'running') return cli.terminal.print(`Run ${id} is ${state} already.`);
    await session.commands.send(cancelSonicRun, { runId: sonicRunId.parse(id) }, session.context());
    cli.terminal.print(`Nothing more is analysed for run ${id}; what is known stays.`);
  });

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
