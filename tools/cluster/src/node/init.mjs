import { mkdirSync } from 'node:fs';
import { inState } from '../paths.mjs';
import { makeCertificates } from './certificates.mjs';
import { keepRunning, mountOwnFolders } from './keep-running.mjs';
import { createNetwork } from './network.mjs';
import { controlPlane } from './processes.mjs';

/*
 * The first program inside the namespaces of the cluster: it lays the network, starts the programs of the control plane and starts them again when they end.
 * When it ends, the kernel ends whatever else runs in there, nodes included, and mounts and addresses go with the namespaces.
 */

process.once('SIGTERM', () => process.exit(0));
mkdirSync(inState('logs'), { recursive: true });
await mountOwnFolders();
await createNetwork();
await makeCertificates();
await keepRunning(controlPlane());
