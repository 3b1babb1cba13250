import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CGROUP } from './processes.mjs';

const ROOT = '/sys/fs/cgroup';

/** The group of the cluster in every hierarchy of this machine; one alone where groups are of version 2. */
const groups = () => {
  if (existsSync(join(ROOT, 'cgroup.controllers'))) return [join(ROOT, CGROUP)];
  return readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'unified')
    .map((entry) => join(ROOT, entry.name, CGROUP));
};

/** Makes the groups of the cluster, or those of a node in it, which its kubelet wants to find. @param {string} [node] */
export const makeGroups = (node = '') => {
  for (const group of groups().map((above) => join(above, node))) {
    mkdirSync(group, { recursive: true });
    for (const setting of ['cpuset.cpus', 'cpuset.mems']) {
      const file = join(group, setting);
      const above = join(group, '..', setting);
      if (existsSync(file) && existsSync(above)) writeFileSync(file, readFileSync(above, 'utf8'));
    }
  }
};

/** Removes them, and those that runc makes where both versions are mounted; nothing runs in them any more. @param {string} [node] */
export const removeGroups = (node = '') => {
  for (const group of [...groups(), join(ROOT, 'unified', CGROUP)].map((above) => join(above, node)))
    if (existsSync(group)) removeTree(group);
};

const removeTree = (folder) => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) removeTree(join(folder, entry.name));
  rmdirSync(folder);
};
