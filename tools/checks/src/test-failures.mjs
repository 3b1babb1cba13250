import { relative } from 'node:path';
import { root } from '../../setup/paths.mjs';

/** Lines of one failure's message that are shown again; the whole of it stands where the test ran. */
const shownLines = 12;

/** The failed tests of a vitest report; a file that failed before its first test counts as one. */
export function failuresOf(project, { testResults }) {
  return testResults.flatMap(({ name: path, status, message, assertionResults }) => {
    const file = `${project} ${relative(root, path)}`;
    const tests = assertionResults.filter((test) => test.status === 'failed');
    if (tests.length === 0) return status === 'failed' ? [{ name: file, message: message ?? '' }] : [];
    return tests.map((test) => ({ name: `${file} > ${test.fullName}`, message: test.failureMessages.join('\n') }));
  });
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
