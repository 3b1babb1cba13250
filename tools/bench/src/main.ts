#!/usr/bin/env node
import { explainError } from '@continuo/continuo-cli';
import { benchProgram } from './program.js';

try {
  await benchProgram((line) => process.stdout.write(`${line}\n`)).parseAsync();
} catch (error) {
  for (const line of explainError(error)) process.stderr.write(`${line}\n`);
  process.exitCode = 1;
}
