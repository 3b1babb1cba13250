import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pinnedNode, root, toolchainPath } from '../setup/paths.mjs';
import { groupVariable, sourcesOf } from './src/group-of-environment.mjs';
import { groups } from './src/groups.mjs';

const program = join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const usage = `Changes sources that defend something, one place at a time, and says which changes no spec fails for.

pnpm test:defences [<group> or <file>…] [<option of Stryker>…]

Groups, all of them without a name: ${Object.keys(groups).join(', ')}.
A file is changed alone, in each group that it belongs to; --mutate file.ts:10-20 takes lines of it.
`;

/** Stryker over a group, or over some of its files. @returns its exit code, 1 when fewer changes are found than were found before */
const stryker = (name, files, options) =>
  new Promise((resolve, reject) => {
    const mutate = files.length > 0 ? ['--mutate', files.join(',')] : [];
    const child = spawn(pinnedNode, [program, 'run', 'tools/defences/stryker.config.mjs', ...mutate, ...options], {
      cwd: root,
      env: { ...process.env, PATH: toolchainPath(), [groupVariable]: name },
      stdio: 'inherit',
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });

/** Groups to run with those of their files that are asked for, and arguments that name neither. */
function chosen(wanted) {
  const all = Object.entries(groups).map(([name, group]) => ({ name, sources: sourcesOf(group, root) }));
  const runs = all
    .map(({ name, sources }) => ({ name, files: wanted.includes(name) ? [] : sources.filter((path) => wanted.includes(path)) }))
    .filter(({ name, files }) => wanted.length === 0 || wanted.includes(name) || files.length > 0);
  const known = new Set(runs.flatMap(({ name, files }) => [name, ...files]));
  return { runs, unknown: wanted.filter((word) => !known.has(word) && !all.some(({ sources }) => sources.includes(word))) };
}

async function main(words) {
  const args = words.filter((word) => word !== '--');
  const firstOption = args.findIndex((word) => word.startsWith('-'));
  const [wanted, options] = firstOption === -1 ? [args, []] : [args.slice(0, firstOption), args.slice(firstOption)];
  const { runs, unknown } = chosen(wanted);
  if (unknown.length > 0 || options.includes('--help')) {
    process.stderr.write(unknown.length > 0 ? `No group, nor a file of one: ${unknown.join(', ')}\n${usage}` : usage);
    return unknown.length > 0 ? 2 : 0;
  }
  const failed = [];
  for (const { name, files } of runs) {
    process.stdout.write(`\n== ${name}\n`);
    if ((await stryker(name, files, options)) !== 0) failed.push(name);
  }
  if (failed.length > 0) process.stdout.write(`\nFewer changes are found than before, or Stryker failed: ${failed.join(', ')}\n`);
  return failed.length > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
