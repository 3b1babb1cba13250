import { spawn } from 'node:child_process';
import { pinnedNode, root, toolchainPath } from '../setup/paths.mjs';
import { environmentOf, sourcesOf } from './src/group-of-environment.mjs';
import { groups } from './src/groups.mjs';
import { ensureStryker } from './src/stryker.mjs';

const usage = `Changes sources that hold defences, one place at a time, and lists the changes that no spec fails for.

pnpm test:defences [<group> or <file>…] [<option of Stryker>…]

Groups, all of them without a name: ${Object.keys(groups).join(', ')}.
A file is changed alone, in each group that it belongs to; file.ts:10-20 are lines of it.
`;

/** Stryker over a group, or over some of its files. @returns its exit code, 1 when a smaller share of changes is found than the group asks for */
const stryker = (program, { name, files }, options) =>
  new Promise((resolve, reject) => {
    const child = spawn(pinnedNode, [program, 'run', 'tools/defences/stryker.config.mjs', ...options], {
      cwd: root,
      env: { ...process.env, PATH: toolchainPath(), ...environmentOf(name, files) },
      stdio: 'inherit',
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });

/** Groups to run, each with those of its files that are asked for, and words that name neither a group nor a file of one. */
function chosen(words) {
  const all = Object.entries(groups).map(([name, group]) => {
    const sources = new Set(sourcesOf(group, root));
    return { name, files: words.filter((word) => sources.has(word.replace(/:[\d:-]+$/, ''))) };
  });
  const known = new Set(all.flatMap(({ name, files }) => [name, ...files]));
  const runs = all
    .filter(({ name, files }) => words.length === 0 || words.includes(name) || files.length > 0)
    .map(({ name, files }) => ({ name, files: words.includes(name) ? [] : files }));
  return { runs, unknown: words.filter((word) => !known.has(word)) };
}

async function main(args) {
  const firstOption = args.findIndex((arg) => arg.startsWith('-'));
  const options = firstOption === -1 ? [] : args.slice(firstOption);
  const { runs, unknown } = chosen(args.slice(0, args.length - options.length));
  if (unknown.length > 0) {
    process.stderr.write(`No group, nor a file of one: ${unknown.join(', ')}\n\n${usage}`);
    return 2;
  }
  if (options.includes('--help')) {
    process.stdout.write(usage);
    return 0;
  }
  const program = await ensureStryker();
  const failed = [];
  for (const run of runs) {
    process.stdout.write(`\n== ${run.name}\n`);
    if ((await stryker(program, run, options)) !== 0) failed.push(run.name);
  }
  if (failed.length > 0) process.stdout.write(`\nLess is found than the group asks for, or Stryker failed: ${failed.join(', ')}\n`);
  return failed.length > 0 ? 1 : 0;
}

// pnpm hands on what separates its own options.
process.exitCode = await main(process.argv.slice(2).filter((arg) => arg !== '--'));
