import { PassThrough } from 'node:stream';
import { explainError } from './explain.js';
import { continuoProgram } from './program.js';

/** What a run of the program left behind. */
export interface CliRun {
  readonly out: string;
  readonly err: string;
  readonly exitCode: number;
}

/** Runs the program in this process, for specs: what it prints is kept, no terminal is there. */
export const runCli = async (env: Readonly<Record<string, string | undefined>>, ...args: string[]): Promise<CliRun> => {
  const [out, err]: [string[], string[]] = [[], []];
  let exitCode = 0;
  const terminal = {
    print: (line: string) => void out.push(line),
    warn: (line: string) => void err.push(line),
    moving: new PassThrough() as unknown as NodeJS.WriteStream,
  };
  const program = continuoProgram({ terminal, env, fail: () => (exitCode = 1) });
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    err.push(...explainError(error));
    exitCode = 1;
  }
  return { out: out.join('\n'), err: err.join('\n'), exitCode };
};
