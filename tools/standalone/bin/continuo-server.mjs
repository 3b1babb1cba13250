#!/usr/bin/env node
import { requireNode, useUsualFolders } from './machine.mjs';

/** The server of an installed package: Postgres comes with it, nats-server and ffmpeg are looked for, and fetched where that can be done. */
requireNode();
useUsualFolders();
const { serve } = await import('./serve.mjs');
process.exitCode = await serve(process.argv.slice(2));
