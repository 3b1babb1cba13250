#!/usr/bin/env node
import { requireNode, useUsualFolders } from './machine.mjs';

/** The command line of an installed package. A restore starts the servers itself; everything else finds them running. */
requireNode();
useUsualFolders();
if (process.argv.includes('restore') && !process.argv.includes('--help')) {
  const { ensureNats } = await import('../tools/setup/nats.mjs');
  process.env.NATS_SERVER_BIN = await ensureNats();
}
await import('../bundle/continuo.js');
