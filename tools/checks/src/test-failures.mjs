import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from '../../setup/paths.mjs';

/** Lines of one failure's message that are shown again; the whole of it stands where the test ran. */
const shownLines = 12;

/** Where a run writes what came of it; the reporter takes no options from a command line. */
export const resultsVariable = 'CONTINUO_TEST_RESULTS';

/** A reporter of vitest that writes `{ passed, failures }` into a file. Vitest's own JSON does not tell why a hook failed, and with it all tests of its file. */
export default class FailureReporter {
  onTestRunEnd(testModules) {
    const passed = testModules.flatMap(({ children }) => [...children.allTests('passed')]).length;
    writeFileSync(process.env[resultsVariable], JSON.stringify({ passed, failures: testModules.flatMap(failuresOf) }));
  }
}

/** What failed of a test file: tests, and hooks and the file itself, which take their tests along. */
export function failuresOf(testModule) {
  const file = `${testModule.project.name} ${relative(root, testModule.moduleId)}`;
  const named = (name, errors) => (errors.length > 0 ? [{ name, message: errors.map(described).join('\n') }] : []);
  return [
    ...named(file, testModule.errors()),
    ...[...testModule.children.allSuites()].flatMap((suite) => named(`${file} > ${suite.fullName}`, suite.errors())),
    ...[...testModule.children.allTests('failed')].flatMap((test) => named(`${file} > ${test.fullName}`, test.result().errors ?? [])),
  ];
}

/** The message with its frames, and what caused it. */
function described({ message, stack, cause }) {
  const own = stack?.includes(message) ? stack : `${message}\n${stack ?? ''}`;
  return cause ? `${own}\nCaused by: ${described(cause)}` : own;
}

/** Says at the end of a run what failed and why, so that nobody has to find it in thousands of lines. */
export function describeFailures(failures) {
  return failures.map(({ name, message }) => `FAILED ${name}\n${indented(message)}`).join('');
}

function indented(message) {
  // Frames of libraries would hide where the test itself stands.
  const lines = message.split('\n').filter((line) => line.trim() !== '' && !line.includes('node_modules'));
  return lines
    .slice(0, shownLines)
    .map((line) => `    ${line}\n`)
    .join('');
}
