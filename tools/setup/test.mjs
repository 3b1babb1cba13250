import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildCommand } from './build.mjs';
import { offerContainers } from './containers.mjs';
import { cache, pinnedNode, root } from './paths.mjs';
import { SetupError } from './say.mjs';

const results = join(cache, 'test-results');
const script = (name) => join(root, 'node_modules', name);
const projects = ['unit', 'int', 'e2e'];

/** Steps without single tests: each counts as one failure when it fails, and as nothing when it passes. */
const checks = [
  ['format', [script('oxfmt/bin/oxfmt'), '--check', '.']],
  ['lint', [script('oxlint/bin/oxlint'), '--type-aware', '.']],
  ['rules', [join(root, 'tools/checks/run.mjs')]],
  ['types', buildCommand],
  // Reads the built services.
  ['settings', [join(root, 'tools/checks/config-table.mjs'), '--check']],
];

/**
 * Runs checks and tests and prints `N passed, N failed` as the last line.
 * `--only unit,int` limits the run to those test projects and leaves out all checks but the build;
 * other arguments go to vitest (file filters, `-t name`).
 */
export async function runTests(args, env) {
  const { only, rest } = readArguments(args);
  const total = { passed: 0, failed: 0 };
  for (const [name, command] of checks) {
    // The build stays in any case: some tests start built programs.
    if (only && name !== 'types') continue;
    if ((await runStep(name, command, env)) !== 0) total.failed += 1;
  }
  for (const project of only ?? projects) {
    // They are of the built services, so they cannot be made before.
    const containers = project === 'e2e' ? await offerContainers(env) : undefined;
    try {
      const { passed, failed } = await runProject(project, rest, { ...env, ...containers?.env });
      total.passed += passed;
      total.failed += failed;
    } finally {
      await containers?.stop();
    }
  }
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
  return total.failed === 0 ? 0 : 1;
}

function readArguments(args) {
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
  const options = ['run', '--project', project, '--passWithNoTests', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await runStep(project, [script('vitest/vitest.mjs'), ...options, ...rest], env);
  const counted = existsSync(file) ? count(JSON.parse(readFileSync(file, 'utf8'))) : { passed: 0, failed: 0 };
  // Broken set-up, unhandled errors and the like fail the run without failing a test.
  return code !== 0 && counted.failed === 0 ? { ...counted, failed: 1 } : counted;
}

/** Tests of a vitest report; a file that failed before its first test counts as one failure. */
function count(report) {
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + brokenFiles.length };
}
