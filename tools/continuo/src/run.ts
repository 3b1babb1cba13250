import { environment } from '@continuo/operations';
import { explainError } from './explain.js';
import { processTerminal } from './output/terminal.js';
import { continuoProgram } from './program.js';

const fail = (): void => {
  process.exitCode = 1;
};

try {
  await continuoProgram({ terminal: processTerminal, env: environment, fail }).parseAsync();
} catch (error) {
  for (const line of explainError(error)) processTerminal.warn(line);
  fail();
}
