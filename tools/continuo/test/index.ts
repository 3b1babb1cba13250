import { PassThrough } from 'node:stream';
import { explainError } from '../src/explain.js';
import { continuoProgram } from '../src/program.js';

export { startGateway, type SpecGateway } from './gateway.js';

/** Output of a run of the program. */
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
    input: new PassThrough().end(),
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
