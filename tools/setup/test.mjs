import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleCommand, compileCommand, makeSourcesCommand, pageCommand } from './build.mjs';
import { offerContainers } from './containers.mjs';
import { describeFailures, resultsVariable } from '../checks/src/test-failures.mjs';
import { cache, pinnedNode, root } from './paths.mjs';
import { SetupError } from './say.mjs';

const results = join(cache, 'test-results');
const script = (name) => join(root, 'node_modules', name);
const projects = ['unit', 'int', 'e2e'];
const LONG = '--long';

/** Steps without single tests: each counts as one failure when it fails, and as nothing when it passes. */
const checks = [
  ['sources', makeSourcesCommand],
  ['format', [script('oxfmt/bin/oxfmt'), '--check', '.']],
  ['lint', [script('oxlint/bin/oxlint'), '--type-aware', '.']],
  ['rules', [join(root, 'tools/checks/run.mjs')]],
  ['types', compileCommand],
  ['page', pageCommand],
  ['bundle', bundleCommand],
  // Reads the built services.
  ['settings', [join(root, 'tools/checks/config-table.mjs'), '--check']],
];

/**
 * Runs checks and tests and prints `N passed, N failed` as the last line.
 * `--only unit,int` limits the run to those test projects and leaves out all checks but the build; `--long` tests whole matrices and more rounds;
 * other arguments go to vitest (file filters, `-t name`).
 */
export async function runTests(args, around) {
  const env = { ...around, ...(args.includes(LONG) && { CONTINUO_TEST_LONG: '1' }) };
  const { only, rest } = readArguments(args);
  if (!only && rest.length === 0)
    process.stdout.write(
      'Everything took 45 minutes on two slow cores, with what CI installs for it; less without, and on quicker ones. Quick parts: npm test -- --only unit, or a folder of specs as an argument.\n',
    );
  let passed = 0;
  const failures = [];
  for (const [name, command] of checks) {
    // The build stays in any case: some tests start built programs.
    if (only && !['sources', 'types', 'page', 'bundle'].includes(name)) continue;
    if ((await runStep(name, command, env)) !== 0) failures.push({ name, message: 'It tells why where it ran, above.' });
  }
  const wanted = only ?? projects;
  // Images are made of the built services, while other tests wait for their servers.
  const containers = wanted.includes('e2e') ? offerContainers(env) : undefined;
  try {
    for (const project of wanted) {
      const result = await runProject(project, rest, { ...env, ...(project === 'e2e' ? (await containers)?.env : undefined) });
      passed += result.passed;
      failures.push(...result.failures);
    }
  } finally {
    await (await containers)?.stop();
  }
  process.stdout.write(`\n${describeFailures(failures)}\n${passed} passed, ${failures.length} failed\n`);
  return failures.length === 0 ? 0 : 1;
}

function readArguments(given) {
  const args = given.filter((argument) => argument !== LONG);
  const at = args.indexOf('--only');
  if (at < 0) return { only: undefined, rest: args };
  const only = (args[at + 1] ?? '').split(',');
  if (!only.every((name) => projects.includes(name)))
    throw new SetupError(`--only takes ${projects.join(', ')} or several of them with commas.`);
  return { only, rest: args.filter((_, index) => index !== at && index !== at + 1) };
}

function runStep(name, command, env) {
  process.stdout.write(`\n== ${name}\n`);
  return new Promise((resolve, reject) => {
    const child = spawn(pinnedNode, command, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code !== 0) process.stdout.write(`${name} failed\n`);
      resolve(code ?? 1);
    });
  });
}

async function runProject(project, rest, env) {
  mkdirSync(results, { recursive: true });
  const file = join(results, `${project}.json`);
  rmSync(file, { force: true });
  const reporters = ['--reporter=default', `--reporter=${join(root, 'tools/checks/src/test-failures.mjs')}`];
  const options = ['run', '--project', project, '--passWithNoTests', ...reporters];
  const code = await runStep(project, [script('vitest/vitest.mjs'), ...options, ...rest], { ...env, [resultsVariable]: file });
  const result = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { passed: 0, failures: [] };
  // Unhandled errors and the like fail the run without failing a test.
  if (code !== 0 && result.failures.length === 0)
    result.failures.push({ name: project, message: 'No test failed, but the run did; it tells why above.' });
  return result;
}
