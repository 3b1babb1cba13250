import { join } from 'node:path';
import { root } from '../setup/paths.mjs';
import { groupOfEnvironment, sourcesOf, specsOf } from './src/group-of-environment.mjs';
import { vitestRunner } from './src/stryker.mjs';

const group = groupOfEnvironment();
const startsServers = specsOf(group, root).some((path) => path.includes('.int.'));
const reports = `.cache/defences/${group.name}`;

/** Stryker over one group of defences, in a copy of the checkout. */
export default {
  mutate: group.files.length > 0 ? group.files : sourcesOf(group, root),
  testRunner: 'vitest',
  plugins: [vitestRunner],
  // Which specs run is for the group to say; to find them by imports takes minutes.
  vitest: { configFile: 'tools/defences/vitest.config.mjs', related: false, pool: 'forks' },
  coverageAnalysis: 'perTest',
  // Constants of modules are known before a test runs, so each change of one runs all specs of the group: too slow where those start servers.
  ignoreStatic: startsServers,
  concurrency: 2,
  dryRunTimeoutMinutes: 20,
  // Stryker reckons with the tests that reach a change; of specs with servers whole files run, and what is too slow would count as found.
  timeoutMS: startsServers ? 900_000 : 20_000,
  // Packages of the workspace are links; the copy needs its own, or specs would import what was not changed.
  symlinkNodeModules: false,
  buildCommand: 'pnpm install --offline --frozen-lockfile',
  tempDirName: '.cache/defences/copy',
  ignorePatterns: ['.cache', 'dist', 'data', 'coverage', 'contracts/golden'],
  // Vitest strips types; nothing compiles the copy.
  disableTypeChecks: false,
  tsconfigFile: 'none',
  // The share is one of the whole group.
  thresholds: { high: 90, low: 70, break: group.files.length > 0 ? null : (group.atLeast ?? null) },
  reporters: ['clear-text', 'html', 'json'],
  clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  htmlReporter: { fileName: `${reports}.html` },
  jsonReporter: { fileName: `${reports}.json` },
  incrementalFile: join(reports, 'incremental.json'),
};
