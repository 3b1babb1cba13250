import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Outcome of a spec. */
export interface SpecOutcome {
  readonly passed: number;
  /** Names of tests that failed. */
  readonly failed: readonly string[];
  /** Why the spec could not run at all. */
  readonly broken?: string;
}

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const projectOf = (spec: string): string => /\.(?<kind>unit|int|e2e)\.spec\./.exec(spec)?.groups?.['kind'] ?? 'unit';

const outcomeOf = ({ numPassedTests, testResults }: Report): SpecOutcome => {
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  );
  const broken = failed.length === 0 ? testResults.find(({ status }) => status === 'failed') : undefined;
  return { passed: numPassedTests, failed, ...(broken ? { broken: broken.message || 'the spec file failed' } : {}) };
};

/** Whether a process is to stop at the first test that fails. */
export interface SpecRun {
  readonly spec: string;
  readonly only?: string | undefined;
  readonly stopsAtFirst: boolean;
}

/** Runs a spec of a copy by vitest, in a process of its own. */
export const runSpec = async (root: string, { spec, only, stopsAtFirst }: SpecRun): Promise<SpecOutcome> => {
  const file = join(root, '.cache', 'defence.json');
  await rm(file, { force: true });
  const args = ['run', '--project', projectOf(spec), spec, '--reporter=json', `--outputFile=${file}`];
  if (only !== undefined) args.push('-t', only);
  if (stopsAtFirst) args.push('--bail=1');
  const output = await new Promise<string>((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), ...args], { cwd: root });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (text = (text + data.toString()).slice(-2000)));
    child.once('error', reject);
    child.once('exit', () => resolve(text));
  });
  try {
    return outcomeOf(JSON.parse(await readFile(file, 'utf8')) as Report);
  } catch (cause) {
    return { passed: 0, failed: [], broken: `no report: ${output || String(cause)}` };
  }
};
