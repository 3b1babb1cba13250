#!/usr/bin/env node
import { defencesProgram } from './program.js';

await defencesProgram((line) => process.stdout.write(`${line}\n`)).parseAsync();
