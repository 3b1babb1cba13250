#!/usr/bin/env node
import { benchProgram } from './program.js';

await benchProgram((line) => process.stdout.write(`${line}\n`)).parseAsync();
