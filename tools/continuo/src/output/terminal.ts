/** Where the program writes. */
export interface Terminal {
  /** One line for the person, or for a pipe. */
  print(line: string): void;
  /** One line of an error. */
  warn(line: string): void;
  /** The stream for moving parts such as a progress bar; they are left out where it is no terminal. */
  readonly moving: NodeJS.WriteStream;
  /** Standard input. */
  readonly input: NodeJS.ReadableStream;
}

/** The terminal of this process. */
export const processTerminal: Terminal = {
  print: (line) => process.stdout.write(`${line}\n`),
  warn: (line) => process.stderr.write(`${line}\n`),
  moving: process.stderr,
  input: process.stdin,
};
