import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { repository } from '../config.js';
import type { RowReport } from '../rows/row.js';
import { next, present } from './build.js';
import { buildOf } from './old-build.js';
import { rebuildWhileServing } from './rebuild-while-serving.js';
import { rollingUpgrade } from './rolling-upgrade.js';

/** Prints one line for a person. */
export type Print = (line: string) => void;

/** Runs a scenario, prints its report and keeps it. */
export type Run = (work: () => Promise<RowReport>) => Promise<void>;

const folder = join(repository, '.cache', 'failure');

const whole = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('expected a whole number, 1 or more');
  return value;
};

interface Options {
  readonly from?: string;
  readonly back: boolean;
  readonly twice: boolean;
  readonly readers: number;
  readonly writers: number;
  readonly files: number;
}

/** `rolling-upgrade`: replaces every replica of a running system, one by one. */
export const rollingUpgradeCommand = (run: Run, print: Print): Command =>
  new Command('rolling-upgrade')
    .description('replaces each replica by one of another release while people read, write, listen and scan; no request may fail')
    .option(
      '--from <ref>',
      'a commit that is built and started first, and replaced by what is here; without it this release is replaced by a made-up next one',
    )
    .option('--back', 'afterwards back to the first release', false)
    .option('--twice', 'two replicas of each service', false)
    .option('--readers <n>', 'readers at the same time', whole, 4)
    .option('--writers <n>', 'writers at the same time, each with a list of its own', whole, 3)
    .option('--files <n>', 'media files of the library, and of each scan', whole, 300)
    .action(({ from, back, ...options }: Options) =>
      run(async () => {
        const before = from === undefined ? present : await buildOf(from, print);
        const after = from === undefined ? next : present;
        const builds = [before, after, ...(back ? [before] : [])] as const;
        return rollingUpgrade({ ...options, builds, home: join(folder, 'rolling-upgrade'), musicFolder: folder, say: print });
      }),
    );

/** `rebuild-while-serving`: rebuilds every projection under load. */
export const rebuildCommand = (run: Run, print: Print): Command =>
  new Command('rebuild-while-serving')
    .description('rebuilds the tables of every projection while people read, write, listen and scan; no request may fail')
    .option('--readers <n>', 'readers at the same time', whole, 4)
    .option('--writers <n>', 'writers at the same time, each with a list of its own', whole, 3)
    .option('--files <n>', 'media files of the library, and of each scan', whole, 300)
    .action((options: Pick<Options, 'readers' | 'writers' | 'files'>) =>
      run(() => rebuildWhileServing({ ...options, home: join(folder, 'rebuild-while-serving'), musicFolder: folder, say: print })),
    );
