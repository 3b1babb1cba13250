import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeFailures, failuresOf } from './test-failures.mjs';
import { root } from '../../setup/paths.mjs';

const file = (name, rest) => ({ name: join(root, 'tools/some', name), status: 'failed', message: '', assertionResults: [], ...rest });
const test = (fullName, status, failureMessages = []) => ({ fullName, status, failureMessages });

describe('the failures of a run', () => {
  const report = {
    testResults: [
      file('a.int.spec.ts', {
        assertionResults: [test('scan adds', 'passed'), test('scan moves', 'failed', ['Error: expected 1\n\n    at a.ts:3'])],
      }),
      file('b.int.spec.ts', { message: 'cannot find module c' }),
      file('c.int.spec.ts', { status: 'passed', assertionResults: [test('scan removes', 'passed')] }),
    ],
  };

  it('are its failed tests and the files that failed before a test', () => {
    expect(failuresOf('int', report).map(({ name }) => name)).toEqual([
      'int tools/some/a.int.spec.ts > scan moves',
      'int tools/some/b.int.spec.ts',
    ]);
  });

  it('are told with their reasons', () => {
    expect(describeFailures(failuresOf('int', report))).toBe(
      'FAILED int tools/some/a.int.spec.ts > scan moves\n    Error: expected 1\n        at a.ts:3\n' +
        'FAILED int tools/some/b.int.spec.ts\n    cannot find module c\n',
    );
  });

  it('are told in a few lines each', () => {
    const long = { name: 'int x', message: Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n') };
    expect(describeFailures([long]).split('\n')).toHaveLength(14);
  });
});
