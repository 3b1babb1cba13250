import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { inside, kubectl, networkOf } from './cluster.mjs';
import { childOf, namespacesOf, newNamespaces, startDetached } from './namespaces.mjs';
import { makeGroups, removeGroups } from './node/control-groups.mjs';
import { connectNode, linkOf } from './node/network.mjs';
import { inState } from './paths.mjs';
import { run, until } from './shell.mjs';

/** What containerd of a new node begins with, so that images are unpacked once. */
const template = inState('images');

const folderOf = (name, ...parts) => inState('nodes', name, ...parts);
const numberOf = (name) => Number(/\d+$/.exec(name)?.[0]);

/** The first process of a node as this machine sees it, or undefined: nsenter has started unshare, and that the node. */
const initOf = (name) => {
  const file = folderOf(name, 'pid');
  return existsSync(file) ? childOf(childOf(readFileSync(file, 'utf8'))) : undefined;
};

/** Names of the nodes that have power. */
export const nodeNames = () =>
  existsSync(inState('nodes'))
    ? readdirSync(inState('nodes'))
        .filter((name) => initOf(name) !== undefined)
        .toSorted()
    : [];

const ip = (...args) => run('nsenter', [...networkOf(), 'ip', ...args]);

/** Gives a node that is not there yet the images: some gigabytes, during which whoever else writes to the disk waits. */
export const prepareNode = async (name) => {
  mkdirSync(folderOf(name, 'logs'), { recursive: true });
  if (existsSync(template) && !existsSync(folderOf(name, 'containerd'))) await run('cp', ['-a', template, folderOf(name, 'containerd')]);
};

/** Starts a node, `node-1`, `node-2`, …, or gives it power again; ends when it is ready. One that runs goes on. */
export const startNode = async (name) => {
  if (initOf(name) !== undefined) return;
  await prepareNode(name);
  makeGroups(name);
  const script = newNamespaces('worker.mjs', [name, String(numberOf(name))]);
  writeFileSync(
    folderOf(name, 'pid'),
    String(startDetached('nsenter', [...inside(), 'unshare', ...script], folderOf(name, 'logs', 'init'))),
  );
  const pid = await until('the namespaces of the node are there', async () => initOf(name), { limitMs: 30_000, everyMs: 50 });
  await connectNode(numberOf(name), pid, ip);
  await until('the node is registered', () => kubectl('get', 'node', name));
  await kubectl('wait', '--for=condition=Ready', `node/${name}`, '--timeout=300s');
};

/** Takes the power of a node: everything on it ends at once, and what it wrote stays. */
export const killNode = async (name) => {
  const pid = initOf(name);
  process.kill(Number(pid), 'SIGKILL');
  await until('the node is off', async () => !existsSync(`/proc/${pid}`), { limitMs: 60_000, everyMs: 50 });
  // No machine starts with control groups from before.
  await until('its control groups are empty', async () => (removeGroups(name), true), { limitMs: 30_000 });
};

/** Takes a node away for good. */
export const removeNode = async (name) => {
  await kubectl('delete', 'node', name);
  await killNode(name);
};

/** Removes what a node has written that was taken away; the volumes of pods are elsewhere. */
export const cleanUpNode = (name) => run('rm', ['-rf', folderOf(name)]);

/** Cuts a node off from everything else, or connects it again. */
export const cutOff = (name) => ip('link', 'set', linkOf(numberOf(name)), 'down');
export const reconnect = (name) => ip('link', 'set', linkOf(numberOf(name)), 'up');

/** Runs a program on a node that has power. @throws Error when it fails */
export const runOn = (name, program, args) => run('nsenter', [...namespacesOf(initOf(name)), program, ...args]);

/** Keeps what containerd of a node has for every later node. */
export const keepImages = async (name) => {
  await runOn(name, 'sync', []);
  await run('rm', ['-rf', template]);
  await run('cp', ['-a', folderOf(name, 'containerd'), template]);
};
