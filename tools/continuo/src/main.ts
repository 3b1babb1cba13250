#!/usr/bin/env node
import { asksForList, helpProgram } from './command-list.js';
import { endWithReader } from './output/closed-pipe.js';

endWithReader(process.stdout);
const args = process.argv.slice(2);

// The list of commands needs none of the libraries that commands work with: loading them takes a second.
if (asksForList(args)) await helpProgram().parseAsync(args, { from: 'user' });
else await import('./run.js');
