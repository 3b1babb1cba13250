import { spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Process that another has started, such as that which unshare has; undefined when either is gone. Both as this machine sees them. */
export const childOf = (pid) => {
  const children = `/proc/${pid}/task/${pid}/children`;
  return pid && existsSync(children) ? readFileSync(children, 'utf8').trim().split(' ')[0] || undefined : undefined;
};

const OWN = ['--net', '--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child=SIGTERM', '--mount-proc', '--'];

/** Arguments of unshare for new namespaces whose first process is a script of `node/`. */
export const newNamespaces = (script, args = []) => [
  ...OWN,
  'docker-init',
  '--',
  process.execPath,
  fileURLToPath(new URL(`node/${script}`, import.meta.url)),
  ...args,
];

/** Arguments of nsenter for the namespaces of a process. */
export const namespacesOf = (pid) => ['--target', pid, '--net', '--mount', '--pid', '--ipc', '--'];

/** Starts a program that goes on without this one, and answers its process id. */
export const startDetached = (program, args, log) => {
  const output = openSync(log, 'a');
  const child = spawn(program, args, { detached: true, stdio: ['ignore', output, output] });
  child.unref();
  return child.pid;
};
