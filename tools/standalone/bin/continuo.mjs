#!/usr/bin/env node
import { requireNode, useUsualFolders } from './machine.mjs';

/** The command line of an installed package. A restore starts the servers itself, unless the environment names them; everything else finds them running. */
requireNode();
useUsualFolders();
const { argv, env } = process;
if (argv.includes('restore') && !argv.includes('--help') && !env.NATS_URL && !env.DATABASE_URL) {
  const { ensureNats } = await import('../tools/setup/nats.mjs');
  env.NATS_SERVER_BIN = await ensureNats();
}
await import('../bundle/continuo.js');
