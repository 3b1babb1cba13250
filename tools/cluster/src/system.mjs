import { mkdirSync } from 'node:fs';
import { apply, get, kubectl } from './cluster.mjs';
import { CONTROL_IP, DNS_IP } from './node/network.mjs';
import { inState } from './paths.mjs';
import { say, until } from './shell.mjs';

/** Cluster add-ons: DNS, volumes, metrics. */
export const installSystem = async () => {
  await apply(...names(), ...metrics(), storageClass(), ...volumes());
  await until('metrics are served', async () => (await get('apiservice', 'v1beta1.metrics.k8s.io')).status.conditions.some(isAvailable));
  await until('there is an account for pods', () => kubectl('get', 'serviceaccount', 'default'));
  say('the cluster is ready');
};

const isAvailable = ({ type, status }) => type === 'Available' && status === 'True';

/** A service that a program of the control plane answers. */
const controlService = (name, ports, clusterIP) => [
  { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'kube-system' }, spec: { ...(clusterIP ? { clusterIP } : {}), ports } },
  {
    // Not slices: those who look for the servers of further interfaces ask for these alone.
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name, namespace: 'kube-system' },
    subsets: [
      {
        addresses: [{ ip: CONTROL_IP }],
        ports: ports.map(({ name: port, targetPort, protocol }) => ({ name: port, port: targetPort, protocol })),
      },
    ],
  },
];

const names = () =>
  controlService(
    'kube-dns',
    [
      { name: 'dns', port: 53, targetPort: 53, protocol: 'UDP' },
      { name: 'dns-tcp', port: 53, targetPort: 53, protocol: 'TCP' },
    ],
    DNS_IP,
  );

const metrics = () => [
  ...controlService('metrics-server', [{ name: 'https', port: 443, targetPort: 4443, protocol: 'TCP' }]),
  {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1beta1.metrics.k8s.io' },
    spec: {
      group: 'metrics.k8s.io',
      version: 'v1beta1',
      groupPriorityMinimum: 100,
      versionPriority: 100,
      insecureSkipTLSVerify: true,
      service: { name: 'metrics-server', namespace: 'kube-system' },
    },
  },
];

const storageClass = () => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'shared', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: 'kubernetes.io/no-provisioner',
  volumeBindingMode: 'WaitForFirstConsumer',
  reclaimPolicy: 'Retain',
});

/** Volumes that every node reaches, as those in a network are. Folders of root's, as a fresh volume is: who may write there is what a pod's fsGroup says. */
const volumes = () =>
  Array.from({ length: 10 }, (_, index) => {
    const name = `volume-${index}`;
    mkdirSync(inState('volumes', name), { recursive: true });
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name },
      spec: {
        capacity: { storage: '100Gi' },
        accessModes: ['ReadWriteOnce', 'ReadWriteMany'],
        persistentVolumeReclaimPolicy: 'Retain',
        storageClassName: 'shared',
        local: { path: inState('volumes', name) },
        nodeAffinity: {
          required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] }] }] },
        },
      },
    };
  });
