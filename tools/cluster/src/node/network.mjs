import { mkdirSync, writeFileSync } from 'node:fs';
import { inState } from '../paths.mjs';
import { run } from '../shell.mjs';

/** Addresses of the control plane, of services and of pods; all of them exist in the network namespaces of the cluster alone. */
export const CONTROL_IP = '10.250.0.1';
export const SERVICES = '10.96.0.0/16';
export const API_IP = '10.96.0.1';
export const DNS_IP = '10.96.0.10';
export const PODS = '10.244.0.0/16';

const BRIDGE = 'nodes0';

/** Address of a node, counted from 1. */
export const nodeIp = (number) => `10.250.0.${10 + number}`;

/** Addresses of the pods of a node. */
export const podsOf = (number) => `10.244.${number}.0/24`;

/** Network interface by which the control plane reaches a node. */
export const linkOf = (number) => `node${number}`;

/** A bridge between control plane and nodes. It ends in itself: what is not for a node, a service or a pod goes nowhere. */
export const createNetwork = async () => {
  await run('ip', ['link', 'set', 'lo', 'up']);
  await run('ip', ['link', 'add', BRIDGE, 'type', 'bridge']);
  await run('ip', ['address', 'add', `${CONTROL_IP}/24`, 'dev', BRIDGE]);
  await run('ip', ['link', 'set', BRIDGE, 'up']);
  // Addresses of services are rewritten after a route was found, so there has to be one.
  await run('ip', ['route', 'add', 'default', 'via', '10.250.0.254', 'dev', BRIDGE]);
  writeFileSync('/proc/sys/net/ipv4/ip_forward', '1');
};

/**
 * Connects the network namespace of a process, which is that of a node, with the bridge.
 * @param {(...args: string[]) => Promise<unknown>} ip runs `ip` in the network of the control plane
 */
export const connectNode = async (number, pid, ip) => {
  const link = linkOf(number);
  await ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', pid);
  await ip('link', 'set', link, 'master', BRIDGE, 'up');
  await ip('route', 'replace', podsOf(number), 'via', nodeIp(number));
};

/** Address and routes of a node, and how its pods are connected. Run in the network of the node. */
export const createNodeNetwork = async ({ name, number }) => {
  await run('ip', ['link', 'set', 'lo', 'up']);
  await run('ip', ['address', 'add', `${nodeIp(number)}/24`, 'dev', 'eth0']);
  await run('ip', ['link', 'set', 'eth0', 'up']);
  await run('ip', ['route', 'add', 'default', 'via', CONTROL_IP]);
  writeFileSync('/proc/sys/net/ipv4/ip_forward', '1');
  writePodNetwork(name, number);
};

const writePodNetwork = (name, number) => {
  const ranges = [[{ subnet: podsOf(number) }]];
  const plugins = [
    {
      type: 'bridge',
      bridge: 'pods0',
      isGateway: true,
      // Pods of other nodes, and the policies there, are shown their own addresses.
      ipMasq: false,
      hairpinMode: true,
      ipam: { type: 'host-local', ranges, routes: [{ dst: '0.0.0.0/0' }], dataDir: inState('nodes', name, 'pod-addresses') },
    },
    { type: 'portmap', capabilities: { portMappings: true } },
  ];
  const folder = inState('nodes', name, 'cni');
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/10-pods.conflist`, JSON.stringify({ cniVersion: '1.0.0', name: 'pods', plugins }));
};
