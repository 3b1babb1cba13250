import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeGroups, makeGroups } from './node/control-groups.mjs';
import { environment } from './config.mjs';
import { inState, kubeconfig, programs, state } from './paths.mjs';
import { attempt, run, say, until } from './shell.mjs';
import { keepTunables, restoreTunables } from './tunables.mjs';

const pidFile = inState('pid');

/** The first process of the cluster as this machine sees it, or undefined. */
const initPid = () => {
  if (!existsSync(pidFile)) return undefined;
  const outer = readFileSync(pidFile, 'utf8');
  const children = `/proc/${outer}/task/${outer}/children`;
  return existsSync(children) ? readFileSync(children, 'utf8').trim().split(' ')[0] || undefined : undefined;
};

/** Whether a cluster runs. */
export const isUp = () => initPid() !== undefined;

/** Starts the node in namespaces of its own; ends when its interface answers and the node is ready. */
export const startNode = async () => {
  if (isUp()) return;
  rmSync(state, { recursive: true, force: true });
  mkdirSync(inState('logs'), { recursive: true });
  keepTunables();
  makeGroups();
  const init = fileURLToPath(new URL('node/init.mjs', import.meta.url));
  const log = openSync(inState('logs', 'init'), 'a');
  const own = ['--net', '--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child=SIGTERM', '--mount-proc'];
  const child = spawn('unshare', [...own, '--', 'docker-init', '--', process.execPath, init], {
    detached: true,
    stdio: ['ignore', log, log],
  });
  writeFileSync(pidFile, String(child.pid));
  child.unref();
  await until('the interface of Kubernetes answers', async () => (await kubectl('get', '--raw', '/readyz')) === 'ok');
  await until('the node is registered', () => kubectl('get', 'node', 'node'));
  await kubectl('wait', '--for=condition=Ready', 'node/node', '--timeout=300s');
};

/** Ends everything that runs in the cluster and removes what it wrote. */
export const stopNode = async () => {
  const pid = initPid();
  if (pid) {
    process.kill(Number(pid), 'SIGTERM');
    await until('the cluster has ended', () => !existsSync(`/proc/${pid}`), { limitMs: 60_000 });
    await sleep(500);
  }
  restoreTunables();
  await until('its control groups are empty', () => (removeGroups(), true), { limitMs: 30_000 });
  rmSync(state, { recursive: true, force: true });
  for (const folder of ['/var/lib/cni', '/var/lib/kubelet']) if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
  say('the cluster is gone');
};

const inside = () => {
  const pid = initPid();
  if (!pid) throw new Error('no cluster runs: node tools/cluster/main.mjs up');
  return ['--target', pid, '--net', '--mount', '--pid', '--ipc', '--'];
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
