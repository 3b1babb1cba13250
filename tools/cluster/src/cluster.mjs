import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { environment } from './config.mjs';
import { childOf, namespacesOf, newNamespaces, startDetached } from './namespaces.mjs';
import { removeGroups, makeGroups } from './node/control-groups.mjs';
import { inState, kubeconfig, programs, state } from './paths.mjs';
import { attempt, run, say, until } from './shell.mjs';
import { keepTunables, restoreTunables } from './tunables.mjs';

const pidFile = inState('pid');

/** The first process of the cluster as this machine sees it, or undefined. */
const initPid = () => (existsSync(pidFile) ? childOf(readFileSync(pidFile, 'utf8')) : undefined);

/** Whether a cluster runs. */
export const isUp = () => initPid() !== undefined;

/** Starts the control plane in namespaces of its own; ends when its interface answers. */
export const startControlPlane = async () => {
  if (isUp()) return;
  rmSync(state, { recursive: true, force: true });
  mkdirSync(inState('logs'), { recursive: true });
  keepTunables();
  makeGroups();
  writeFileSync(pidFile, String(startDetached('unshare', newNamespaces('init.mjs'), inState('logs', 'init'))));
  await until('the interface of Kubernetes answers', async () => (await kubectl('get', '--raw', '/readyz')) === 'ok');
};

/** Ends everything that runs in the cluster, nodes included, and removes what it wrote. */
export const stopCluster = async () => {
  const pid = initPid();
  if (pid) {
    process.kill(Number(pid), 'SIGTERM');
    await until('the cluster has ended', () => !existsSync(`/proc/${pid}`), { limitMs: 60_000 });
    await sleep(500);
  }
  restoreTunables();
  await until('its control groups are empty', () => (removeGroups(), true), { limitMs: 30_000 });
  // Unpacked images are some hundred thousand files.
  await run('rm', ['-rf', state]);
  for (const folder of ['/var/lib/cni', '/var/lib/kubelet']) if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
  say('the cluster is gone');
};

/** Arguments of nsenter for the namespaces of the control plane. */
export const inside = () => {
  const pid = initPid();
  if (!pid) throw new Error('no cluster runs: node tools/cluster/main.mjs up');
  return namespacesOf(pid);
};

/** For nsenter: the network of the cluster alone. */
export const networkOf = () => inside().filter((part) => part !== '--mount' && part !== '--pid' && part !== '--ipc');

const settings = { KUBECONFIG: kubeconfig, PATH: `${programs}:${environment.PATH}` };

/** Runs a program inside the cluster's namespaces, whatever it ends with. */
export const attemptInside = (program, args, options = {}) =>
  attempt('nsenter', [...inside(), program, ...args], { ...options, env: { ...settings, ...options.env } });

/** Runs a program inside the cluster's namespaces. @throws Error when it fails */
export const runInside = (program, args, options = {}) =>
  run('nsenter', [...inside(), program, ...args], { ...options, env: { ...settings, ...options.env } });

/** Starts a program in the network of the cluster and goes on, such as a forwarded port. */
export const startInside = (program, args) =>
  spawn('nsenter', [...networkOf(), program, ...args], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...environment, ...settings } });

/** Hands terminal and exit code to a program inside. */
export const handOver = (program, args) =>
  new Promise((resolve, reject) => {
    const child = spawn('nsenter', [...inside(), program, ...args], { stdio: 'inherit', env: { ...environment, ...settings } });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 128));
  });

/** Runs kubectl and returns its output. */
export const kubectl = (...args) => runInside('kubectl', args);

/** Applies objects. */
export const apply = (...objects) =>
  runInside('kubectl', ['apply', '--server-side', '-f', '-'], {
    input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }),
  });

/** An object, or a list of objects, as Kubernetes has it. */
export const get = async (...args) => JSON.parse(await kubectl('get', ...args, '--output', 'json'));
