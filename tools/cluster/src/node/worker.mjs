import { mkdirSync } from 'node:fs';
import { inState } from '../paths.mjs';
import { run, until } from '../shell.mjs';
import { keepRunning, mountOwnFolders } from './keep-running.mjs';
import { createNodeNetwork } from './network.mjs';
import { workerNode } from './processes.mjs';

/*
 * The first program inside the namespaces of a node, which lie within those of the cluster: `worker.mjs <name> <number>`. When it is killed, everything on the node
 * ends at once, as without power; what it wrote stays.
 */

const [name = '', number = ''] = process.argv.slice(2);
const node = { name, number: Number(number) };

process.once('SIGTERM', () => process.exit(0));
mkdirSync(inState('nodes', name, 'logs'), { recursive: true });
await mountOwnFolders();
await until('the node is connected', () => run('ip', ['link', 'show', 'eth0']), { limitMs: 30_000, everyMs: 50 });
await createNodeNetwork(node);
await keepRunning(workerNode(node));
