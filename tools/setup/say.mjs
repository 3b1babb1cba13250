/** A problem of the machine, told in one sentence that says what to do. Printed without a stack. */
export class SetupError extends Error {
  name = 'SetupError';
}

/** Prints one progress line. On stderr, so that the output of the program that follows stays clean. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}
