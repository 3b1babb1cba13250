import { spawn } from 'node:child_process';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { environment } from '../config.mjs';
import { inState } from '../paths.mjs';
import { run, say } from '../shell.mjs';
import { makeCertificates } from './certificates.mjs';
import { DNS_IP, createNetwork } from './network.mjs';
import { processes } from './processes.mjs';

/*
 * The first program inside the namespaces of the cluster: it lays the network, starts the programs of a node and starts them again when they end.
 * When it ends, the kernel ends whatever else runs in there, and mounts and addresses go with the namespaces.
 */

/** Folders that are the machine's outside and the cluster's own in here. */
const OWN_FOLDERS = ['/run', '/var/log', '/var/lib/cni', '/var/lib/kubelet'];

const mountOwnFolders = async () => {
  for (const folder of OWN_FOLDERS) {
    mkdirSync(folder, { recursive: true });
    await run('mount', ['-t', 'tmpfs', 'tmpfs', folder]);
  }
  // Nobody in here asks the name servers of the machine.
  writeFileSync(inState('resolv.conf'), `nameserver ${DNS_IP}\n`);
  await run('mount', ['--bind', inState('resolv.conf'), '/etc/resolv.conf']);
};

const keepRunning = async ({ name, program, args }) => {
  const log = openSync(inState('logs', name), 'a');
  for (;;) {
    const child = spawn(program, args, { stdio: ['ignore', log, log], env: { ...environment, GOMAXPROCS: '2' } });
    const code = await new Promise((resolve) => {
      child.once('error', resolve);
      child.once('close', resolve);
    });
    say(`${name} ended with ${code}; it is started again`);
    await sleep(1000);
  }
};

process.once('SIGTERM', () => process.exit(0));
mkdirSync(inState('logs'), { recursive: true });
await mountOwnFolders();
await createNetwork();
await makeCertificates();
await Promise.all(processes().map(keepRunning));
