#!/usr/bin/env node
import { failureProgram } from './program.js';

await failureProgram((line) => process.stdout.write(`${line}\n`)).parseAsync();
