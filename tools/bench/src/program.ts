import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { JetStreamEventStore } from '@continuo/chassis';
import { formatTable } from '@continuo/continuo-cli';
import { findCatalogs, formatCount, formatDuration, locateServer, openSession, readSettings } from '@continuo/operations';
import { type FormatName, formatNames, generateBroken, generateFiles, parseFormats } from '@continuo/media-fixtures';
import { benchmarkNames, runBenchmarks, type BenchmarkName, type RunOptions } from './benchmarks/run.js';
import { generateEvents } from './events/generate-events.js';
import { environment } from './harness/config.js';
import { measureHour, type HourOptions } from './hour/hour.js';
import { budgetPicture } from './measure/picture.js';
import { describeResult, readResult } from './measure/report.js';

/** Where a program writes what a person reads. */
export type Print = (line: string) => void;

/** Reads a whole number, 1 or more; `10k` and `1m` are understood. */
export const parseCount = (text: string): number => {
  const match = /^(\d+)(k|m)?$/i.exec(text.trim().replaceAll('_', ''));
  const count = match ? Number(match[1]) * { '': 1, k: 1e3, m: 1e6 }[(match[2] ?? '').toLowerCase() as '' | 'k' | 'm'] : 0;
  if (!Number.isSafeInteger(count) || count < 1) throw new InvalidArgumentError('expected a whole number such as 2000, 10k or 1m');
  return count;
};

/** Reads sizes separated by commas, smallest first. */
export const parseSizes = (text: string): number[] => [...new Set(text.split(',').map(parseCount))].toSorted((a, b) => a - b);

const formatList = (text: string): FormatName[] => {
  try {
    return parseFormats(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
};

const filesCommand = (print: Print): Command =>
  new Command('generate-files')
    .description('write a folder of tagged media files and a manifest of what a scan must find')
    .requiredOption('--out <folder>', 'folder to write to')
    .option('--count <n>', 'number of media files', parseCount, 2000)
    .option('--formats <list>', 'formats, separated by commas', formatList, formatNames)
    .option('--seed <n>', 'the same seed gives the same files', parseCount, 1)
    .option('--flat', 'all files in one folder', false)
    .action(async (options: { out: string; count: number; formats: FormatName[]; seed: number; flat: boolean }) => {
      const started = performance.now();
      const manifest = await generateFiles({ ...options, out: resolve(options.out) });
      const seconds = (performance.now() - started) / 1000;
      print(JSON.stringify(manifest, null, 2));
      print(`${manifest.songs} files in ${seconds.toFixed(1)} s (${Math.round(manifest.songs / seconds)} files/s)`);
    });

const brokenCommand = (print: Print): Command =>
  new Command('generate-broken')
    .description('write a folder of files that scans stumble over, and a manifest of what each should become')
    .requiredOption('--out <folder>', 'folder to write to')
    .action(async (options: { out: string }) => {
      const cases = await generateBroken(resolve(options.out));
      print(
        formatTable(
          ['File', 'Expected', 'Reason'],
          cases.map((it) => [it.path, it.expect, it.reason ?? '']),
        ),
      );
    });

const eventsCommand = (print: Print): Command =>
  new Command('generate-events')
    .description('write a synthetic library straight into the log of a running server whose library is empty')
    .requiredOption('--catalog <catalog>', 'name or number of an existing catalog')
    .option('--songs <n>', 'number of songs, for example 100k', parseCount, 10_000)
    .option('--seed <n>', 'the same seed gives the same library', parseCount, 1)
    .action(async (options: { catalog: string; songs: number; seed: number }) => {
      const session = await openSession(await locateServer(readSettings(environment)));
      try {
        const [catalog] = await findCatalogs(session.db, options.catalog);
        if (!catalog) throw new Error('there is no such catalog');
        const started = performance.now();
        const store = new JetStreamEventStore(session.nats, session.manager, 30_000);
        const done = await generateEvents(store, { songs: options.songs, seed: options.seed, catalogId: catalog.id });
        print(
          `${formatCount(done.songs)} songs in ${formatCount(done.events)} events after ${formatDuration(performance.now() - started)}.`,
        );
      } finally {
        await session.close();
      }
    });

const benchmarkList = (name: string, before: BenchmarkName[] = []): BenchmarkName[] => {
  const found = benchmarkNames.find((known) => known === name);
  if (!found) throw new InvalidArgumentError(`there are ${benchmarkNames.join(', ')}`);
  return [...before, found];
};

/** A relative path is one from where the command is run: servers are started in folders of their own. */
const absolutePath = (path: string): string => resolve(path);

type RunCommandOptions = Pick<RunOptions, 'sizes' | 'files' | 'scroll' | 'out'> & RunOptions['peers'];

const runCommand = (print: Print): Command =>
  new Command('run')
    .description('measure on standalones of their own, in temporary folders')
    .argument('[benchmarks...]', `default: all of ${benchmarkNames.join(', ')}`, benchmarkList)
    .option('--sizes <list>', 'songs of the synthetic libraries', parseSizes, [10_000, 100_000, 1_000_000])
    .option('--files <n>', 'files of the scanned folder', parseCount, 5000)
    .option('--scroll <s>', 'page: how long its list is scrolled', parseCount, 10)
    .option('--out <folder>', 'folder for the results as JSON', '.cache/bench')
    .option('--navidrome <program>', 'peers: Navidrome to compare with', absolutePath)
    .option('--gonic <program>', 'peers: gonic to compare with', absolutePath)
    .option('--music <folder>', 'peers: own files in place of generated ones', absolutePath)
    .option('--seconds <n>', 'peers, requests: time of each kind of request', parseCount, 3)
    .action((names: BenchmarkName[] | undefined, options: RunCommandOptions) => {
      const benchmarks = new Set(names?.length ? names : benchmarkNames);
      return runBenchmarks({ ...options, benchmarks, out: resolve(options.out), print, peers: options });
    });

const reportCommand = (print: Print): Command =>
  new Command('report')
    .description('print results as tables in Markdown, and draw them beside their budgets')
    .argument('<results...>', 'files that `run` wrote')
    .requiredOption('--title <text>', 'title of the picture')
    .requiredOption('--picture <file>', 'picture to write, SVG')
    .action(async (paths: string[], { title, picture }: { title: string; picture: string }) => {
      const results = await Promise.all(paths.map(readResult));
      for (const result of results) print(`${describeResult(result)}\n`);
      await writeFile(
        picture,
        budgetPicture(
          title,
          results.flatMap(({ measurements }) => measurements),
        ),
      );
    });

const hourCommand = (print: Print): Command =>
  new Command('hour')
    .description(
      'measure all services under a crowd, each in a process of its own; new files are scanned meanwhile, and a projection is rebuilt',
    )
    .option('--songs <n>', 'songs of the synthetic library', parseCount, 1_000_000)
    .option('--accounts <n>', 'accounts', parseCount, 10_000)
    .option('--listeners <n>', 'accounts that listen', parseCount, 200)
    .option('--browsers <n>', 'accounts that look around', parseCount, 20)
    .option('--writers <n>', 'accounts that rate, star and make playlists', parseCount, 5)
    .option('--files <n>', 'new files', parseCount, 10_000)
    .option('--minutes <n>', 'time without that of the scan and the rebuild', parseCount, 60)
    .option('--out <folder>', 'folder for the results as JSON', '.cache/bench')
    .action((options: Omit<HourOptions, 'print'>) => measureHour({ ...options, out: resolve(options.out), print }));

/** The command line of the generators and benchmarks. */
export const benchProgram = (print: Print): Command =>
  new Command('bench')
    .description('synthetic libraries and benchmarks for Continuo')
    .addCommand(filesCommand(print))
    .addCommand(brokenCommand(print))
    .addCommand(eventsCommand(print))
    .addCommand(runCommand(print))
    .addCommand(reportCommand(print))
    .addCommand(hourCommand(print));
