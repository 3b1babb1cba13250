import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { formatNames, parseFormats, type FormatName } from './files/formats.js';
import { generateFiles } from './files/generate-files.js';

/** Where a program writes what a person reads. */
export type Print = (line: string) => void;

/** Reads a whole number, 1 or more; `10k` and `1m` are understood. */
export const parseCount = (text: string): number => {
  const match = /^(\d+)(k|m)?$/i.exec(text.trim().replaceAll('_', ''));
  const count = match ? Number(match[1]) * { '': 1, k: 1e3, m: 1e6 }[(match[2] ?? '').toLowerCase() as '' | 'k' | 'm'] : 0;
  if (!Number.isSafeInteger(count) || count < 1) throw new InvalidArgumentError('expected a whole number such as 2000, 10k or 1m');
  return count;
};

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

/** The command line of the generators and benchmarks. */
export const benchProgram = (print: Print): Command =>
  new Command('bench').description('synthetic libraries and benchmarks for Continuo').addCommand(filesCommand(print));
