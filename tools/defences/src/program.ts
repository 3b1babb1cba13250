import { join } from 'node:path';
import { Command } from 'commander';
import { copyOf } from './copy.js';
import type { Defence } from './defence.js';
import { everyRead } from './every-read.js';
import { runSpec } from './run-spec.js';
import { defences } from './table/index.js';
import { tryDefence, type Trial } from './try-defence.js';

/** Prints one line for a person. */
export type Print = (line: string) => void;

interface Options {
  readonly threat?: readonly string[];
  readonly match?: string;
  readonly everyRead?: boolean;
}

const repository = join(import.meta.dirname, '..', '..', '..');

const isWanted =
  ({ threat, match }: Options) =>
  (defence: Defence): boolean =>
    (threat === undefined || threat.includes(String(defence.threat))) &&
    (match === undefined || `${defence.file} ${defence.against}`.includes(match));

/** Specs that fail already prove nothing by failing. */
const soundSpecs = async (root: string, wanted: readonly Defence[], print: Print): Promise<ReadonlySet<string>> => {
  const sound = new Set<string>();
  for (const spec of new Set(wanted.map((defence) => defence.spec))) {
    const { passed, failed, broken } = await runSpec(root, { spec, stopsAtFirst: false });
    if (passed > 0 && failed.length === 0 && broken === undefined) sound.add(spec);
    else print(`fails as it is: ${spec}: ${broken ?? failed.join('; ')}`);
  }
  return sound;
};

const lineOf = ({ defence, verdict, by }: Trial): string =>
  `${verdict.padEnd(9)} ${String(defence.threat).padStart(2)}  ${defence.file}: ${defence.against}\n${' '.repeat(14)}${by}`;

const tryAll = async (options: Options, print: Print): Promise<void> => {
  const copy = await copyOf(repository);
  try {
    const all = options.everyRead ? await everyRead(copy.root) : defences;
    const wanted = all.filter(isWanted(options));
    const sound = await soundSpecs(copy.root, wanted, print);
    const trials: Trial[] = [];
    for (const defence of wanted.filter(({ spec }) => sound.has(spec))) {
      const trial = await tryDefence(copy.root, defence);
      trials.push(trial);
      print(lineOf(trial));
    }
    const noticed = trials.filter(({ verdict }) => verdict === 'noticed').length;
    print(`${noticed} of ${wanted.length} defences are missed by a test when they are gone`);
    if (noticed < wanted.length) process.exitCode = 1;
  } finally {
    await copy.remove();
  }
};

/** The command line: takes defences away one by one, in a copy of the repository, and says which of them no test misses. Exit code 1 when there is one. */
export const defencesProgram = (print: Print): Command =>
  new Command('defences')
    .description('takes defences away one by one, in a copy, and says which of them no test misses')
    .option('--threat <rows...>', 'only these rows of docs/security.md')
    .option('--match <text>', 'only files or descriptions with this text')
    .option('--every-read', 'instead: the visibility of catalogs, at every place of every read')
    .action((options: Options) => tryAll(options, print));
