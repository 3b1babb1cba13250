import { mkdirSync, writeFileSync } from 'node:fs';
import { inState } from '../paths.mjs';
import { run } from '../shell.mjs';

/** Addresses of the node, of services and of pods; all of them exist in the network namespace of the cluster alone. */
export const NODE_IP = '10.250.0.1';
export const SERVICES = '10.96.0.0/16';
export const API_IP = '10.96.0.1';
export const DNS_IP = '10.96.0.10';
export const PODS = '10.244.0.0/16';

/** A node whose only network ends in itself: what is not for the node, a service or a pod goes nowhere. */
export const createNetwork = async () => {
  await run('ip', ['link', 'set', 'lo', 'up']);
  await run('ip', ['link', 'add', 'node0', 'type', 'veth', 'peer', 'name', 'node1']);
  await run('ip', ['address', 'add', `${NODE_IP}/24`, 'dev', 'node0']);
  await run('ip', ['link', 'set', 'node0', 'up']);
  await run('ip', ['link', 'set', 'node1', 'up']);
  // Addresses of services are rewritten after a route was found, so there has to be one.
  await run('ip', ['route', 'add', 'default', 'via', '10.250.0.254', 'dev', 'node0']);
  writeFileSync('/proc/sys/net/ipv4/ip_forward', '1');
  writePodNetwork();
};

const writePodNetwork = () => {
  const plugins = [
    {
      type: 'bridge',
      bridge: 'pods0',
      isGateway: true,
      ipMasq: true,
      hairpinMode: true,
      ipam: { type: 'host-local', ranges: [[{ subnet: PODS }]], routes: [{ dst: '0.0.0.0/0' }], dataDir: inState('pod-addresses') },
    },
    { type: 'portmap', capabilities: { portMappings: true } },
  ];
  mkdirSync(inState('cni'), { recursive: true });
  writeFileSync(inState('cni', '10-pods.conflist'), JSON.stringify({ cniVersion: '1.0.0', name: 'pods', plugins }));
};
