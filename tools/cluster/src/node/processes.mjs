import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inState, kubeconfig, programs } from '../paths.mjs';
import { CONTROL_IP, DNS_IP, nodeIp, PODS, SERVICES } from './network.mjs';

/** Control groups of all pods, below the roots of this machine. */
export const CGROUP = '/continuo-cluster';

const pki = (name) => inState('pki', name);
const ours = (name) => join(programs, name);

/** How the programs of the control plane are started, in this order; writes what they read. */
export const controlPlane = () =>
  logged('logs', [
    { name: 'etcd', program: ours('etcd'), args: etcd() },
    { name: 'kube-apiserver', program: ours('kube-apiserver'), args: apiServer() },
    { name: 'kube-controller-manager', program: ours('kube-controller-manager'), args: controllerManager() },
    { name: 'kube-scheduler', program: ours('kube-scheduler'), args: [`--kubeconfig=${kubeconfig}`, '--leader-elect=false'] },
    // Programs beside the cluster reach its services as well.
    { name: 'kube-proxy', program: ours('kube-proxy'), args: ['--config', settings('kube-proxy.json', kubeProxy('control', CONTROL_IP))] },
    { name: 'coredns', program: ours('coredns'), args: ['-conf', settings('Corefile', coredns())] },
    { name: 'metrics-server', program: ours('metrics-server'), args: metricsServer() },
  ]);

/** How the programs of a node are started; writes what they read. */
export const workerNode = ({ name, number }) => {
  const own = (file) => join('nodes', name, file);
  return logged(own('logs'), [
    { name: 'containerd', program: 'containerd', args: ['--config', settings(`${name}-containerd.toml`, containerd(own))] },
    { name: 'kubelet', program: ours('kubelet'), args: kubelet(name, number, own) },
    {
      name: 'kube-proxy',
      program: ours('kube-proxy'),
      args: ['--config', settings(`${name}-kube-proxy.json`, kubeProxy(name, nodeIp(number)))],
    },
    { name: 'policies', program: process.execPath, args: [fileURLToPath(new URL('policies.mjs', import.meta.url))] },
  ]);
};

const logged = (folder, processes) => processes.map((one) => ({ ...one, log: inState(folder, one.name) }));

const settings = (name, text) => {
  mkdirSync(inState('settings'), { recursive: true });
  const path = inState('settings', name);
  writeFileSync(path, typeof text === 'string' ? text : JSON.stringify(text));
  return path;
};

const etcd = () => [
  '--data-dir',
  inState('etcd'),
  '--listen-client-urls=http://127.0.0.1:2379',
  '--advertise-client-urls=http://127.0.0.1:2379',
  '--unsafe-no-fsync',
];

const containerd = (own) => `version = 2
root = "${inState(own('containerd'))}"
state = "/run/containerd"
disabled_plugins = ["io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.devmapper"]
[grpc]
address = "/run/containerd/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "continuo.local/pause:1"
disable_apparmor = true
# Not every machine lets its root say which programs are ended last.
restrict_oom_score_adj = true
[plugins."io.containerd.grpc.v1.cri".containerd]
snapshotter = "overlayfs"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "${programs}"
conf_dir = "${inState(own('cni'))}"
`;

const apiServer = () => [
  '--etcd-servers=http://127.0.0.1:2379',
  `--advertise-address=${CONTROL_IP}`,
  `--service-cluster-ip-range=${SERVICES}`,
  '--authorization-mode=RBAC',
  '--allow-privileged',
  `--client-ca-file=${pki('ca.crt')}`,
  `--tls-cert-file=${pki('apiserver.crt')}`,
  `--tls-private-key-file=${pki('apiserver.key')}`,
  '--kubelet-preferred-address-types=InternalIP',
  `--kubelet-client-certificate=${pki('admin.crt')}`,
  `--kubelet-client-key=${pki('admin.key')}`,
  `--service-account-key-file=${pki('accounts.key')}`,
  `--service-account-signing-key-file=${pki('accounts.key')}`,
  '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
  // Parts of the interface that others serve, such as metrics.
  '--enable-aggregator-routing',
  `--requestheader-client-ca-file=${pki('ca.crt')}`,
  '--requestheader-allowed-names=front-proxy',
  '--requestheader-username-headers=X-Remote-User',
  '--requestheader-group-headers=X-Remote-Group',
  '--requestheader-extra-headers-prefix=X-Remote-Extra-',
  `--proxy-client-cert-file=${pki('front-proxy.crt')}`,
  `--proxy-client-key-file=${pki('front-proxy.key')}`,
];

const controllerManager = () => [
  `--kubeconfig=${kubeconfig}`,
  '--leader-elect=false',
  `--root-ca-file=${pki('ca.crt')}`,
  `--service-account-private-key-file=${pki('accounts.key')}`,
];

const kubelet = (name, number, own) => [
  `--kubeconfig=${kubeconfig}`,
  `--hostname-override=${name}`,
  `--node-ip=${nodeIp(number)}`,
  `--node-labels=topology.kubernetes.io/zone=zone-${number}`,
  `--root-dir=${inState(own('kubelet'))}`,
  '--config',
  settings(`${name}-kubelet.json`, {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    failCgroupV1: false,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: join(CGROUP, name),
    containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
    authentication: { anonymous: { enabled: false }, webhook: { enabled: true }, x509: { clientCAFile: pki('ca.crt') } },
    authorization: { mode: 'Webhook' },
    clusterDNS: [DNS_IP],
    clusterDomain: 'cluster.local',
    resolvConf: '',
    podLogsDir: inState(own('pod-logs')),
    failSwapOn: false,
    // The disk of a developer is fuller than that of a server.
    evictionHard: { 'memory.available': '200Mi', 'nodefs.available': '2%', 'imagefs.available': '2%' },
    imageGCHighThresholdPercent: 100,
    imageMinimumGCAge: '24h',
  }),
];

const kubeProxy = (name, address) => ({
  apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
  kind: 'KubeProxyConfiguration',
  mode: 'iptables',
  clientConnection: { kubeconfig },
  hostnameOverride: name,
  bindAddress: address,
  clusterCIDR: PODS,
  // The table of connections is the whole machine's.
  conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
});

const coredns = () => `.:53 {
  bind ${CONTROL_IP}
  errors
  cache 5
  kubernetes cluster.local {
    kubeconfig ${kubeconfig}
    ttl 5
  }
}
`;

const metricsServer = () => [
  `--kubeconfig=${kubeconfig}`,
  `--authentication-kubeconfig=${kubeconfig}`,
  `--authorization-kubeconfig=${kubeconfig}`,
  '--kubelet-insecure-tls',
  '--kubelet-preferred-address-types=InternalIP',
  '--metric-resolution=15s',
  '--secure-port=4443',
  `--cert-dir=${inState('metrics-server')}`,
];
