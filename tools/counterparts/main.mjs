import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pinnedNode, root, toolchainPath } from '../setup/paths.mjs';
import { counterparts } from './counterparts.mjs';

const names = Object.keys(counterparts);
const say = (text) => process.stdout.write(`${text}\n`);

/** Finds or fetches the programs of a counterpart. A variable that is set names the operator's own. @returns variables, or why one is missing */
async function programsOf({ programs }) {
  const env = {};
  for (const { variable, find } of programs) {
    const chosen = process.env[variable];
    const { path, missing } = chosen ? { path: chosen } : await find();
    if (path === undefined) return { missing: `${missing}; ${variable} may name one` };
    env[variable] = path;
  }
  return { env };
}

function vitest({ project, files, env }, programs) {
  return new Promise((resolve, reject) => {
    const command = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', project, ...files];
    const options = { cwd: root, env: { ...process.env, PATH: toolchainPath(), ...programs, ...env }, stdio: 'inherit' };
    const child = spawn(pinnedNode, command, options);
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Runs our suites against the named servers of others, all of them without a name. Ends with 1 when one fails, and says which could not be had. */
async function main(wanted) {
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    process.stderr.write(`There is no counterpart ${unknown.join(', ')}; there are ${names.join(', ')}.\n`);
    return 2;
  }
  const results = [];
  for (const name of wanted.length > 0 ? wanted : names) {
    say(`\n== ${name}`);
    const { env, missing } = await programsOf(counterparts[name]);
    if (env === undefined) {
      results.push({ name, result: `skipped: ${missing}` });
      continue;
    }
    const codes = [];
    for (const run of counterparts[name].runs) codes.push(await vitest(run, env));
    results.push({ name, result: codes.every((code) => code === 0) ? 'passed' : 'FAILED' });
  }
  say('');
  for (const { name, result } of results) say(`${name}: ${result}`);
  return results.some(({ result }) => result === 'FAILED') ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
