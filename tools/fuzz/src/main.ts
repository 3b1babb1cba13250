#!/usr/bin/env node
import { fuzzProgram } from './program.js';

await fuzzProgram((line) => process.stdout.write(`${line}\n`)).parseAsync();
