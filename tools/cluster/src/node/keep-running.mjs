import { spawn } from 'node:child_process';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { environment } from '../config.mjs';
import { inState } from '../paths.mjs';
import { run, say } from '../shell.mjs';
import { DNS_IP } from './network.mjs';

/** Folders that are the machine's outside and the namespace's own in here. */
const OWN_FOLDERS = ['/run', '/var/log', '/var/lib/cni', '/var/lib/kubelet'];

/** Gives a mount namespace empty folders of its own where programs keep what a restart forgets. */
export const mountOwnFolders = async () => {
  for (const folder of OWN_FOLDERS) {
    mkdirSync(folder, { recursive: true });
    await run('mount', ['-t', 'tmpfs', 'tmpfs', folder]);
  }
  // Nobody in here asks the name servers of the machine.
  writeFileSync(inState('resolv.conf'), `nameserver ${DNS_IP}\n`);
  await run('mount', ['--bind', inState('resolv.conf'), '/etc/resolv.conf']);
};

/** Starts programs, and starts each again when it ends. */
export const keepRunning = (processes) => Promise.all(processes.map(keepOne));

const keepOne = async ({ name, program, args, log }) => {
  const output = openSync(log, 'a');
  for (;;) {
    const child = spawn(program, args, { stdio: ['ignore', output, output], env: { ...environment, GOMAXPROCS: '2' } });
    const code = await new Promise((resolve) => {
      child.once('error', resolve);
      child.once('close', resolve);
    });
    say(`${name} ended with ${code}; it is started again`);
    await sleep(1000);
  }
};
