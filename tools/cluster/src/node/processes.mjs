import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inState, kubeconfig, programs } from '../paths.mjs';
import { DNS_IP, NODE_IP, PODS, SERVICES } from './network.mjs';

/** Control groups of all pods, below the roots of this machine. */
export const CGROUP = '/continuo-cluster';

const pki = (name) => inState('pki', name);
const ours = (name) => join(programs, name);

/** Writes what the programs of the node read, and says how each is started, in this order. */
export const processes = () => {
  mkdirSync(inState('settings'), { recursive: true });
  return [
    { name: 'etcd', program: ours('etcd'), args: etcd() },
    { name: 'containerd', program: 'containerd', args: ['--config', settings('containerd.toml', containerd())] },
    { name: 'kube-apiserver', program: ours('kube-apiserver'), args: apiServer() },
    { name: 'kube-controller-manager', program: ours('kube-controller-manager'), args: controllerManager() },
    { name: 'kube-scheduler', program: ours('kube-scheduler'), args: [`--kubeconfig=${kubeconfig}`, '--leader-elect=false'] },
    { name: 'kubelet', program: ours('kubelet'), args: kubelet() },
    { name: 'kube-proxy', program: ours('kube-proxy'), args: ['--config', settings('kube-proxy.json', kubeProxy())] },
    { name: 'coredns', program: ours('coredns'), args: ['-conf', settings('Corefile', coredns())] },
    { name: 'metrics-server', program: ours('metrics-server'), args: metricsServer() },
    { name: 'policies', program: process.execPath, args: [fileURLToPath(new URL('policies.mjs', import.meta.url))] },
  ];
};

const settings = (name, text) => {
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

const containerd = () => `version = 2
root = "${inState('containerd')}"
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
conf_dir = "${inState('cni')}"
`;

const apiServer = () => [
  '--etcd-servers=http://127.0.0.1:2379',
  `--advertise-address=${NODE_IP}`,
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

const kubelet = () => [
  `--kubeconfig=${kubeconfig}`,
  '--hostname-override=node',
  `--node-ip=${NODE_IP}`,
  `--root-dir=${inState('kubelet')}`,
  '--config',
  settings('kubelet.json', {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    failCgroupV1: false,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: CGROUP,
    containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
    authentication: { anonymous: { enabled: false }, webhook: { enabled: true }, x509: { clientCAFile: pki('ca.crt') } },
    authorization: { mode: 'Webhook' },
    clusterDNS: [DNS_IP],
    clusterDomain: 'cluster.local',
    resolvConf: '',
    podLogsDir: inState('pod-logs'),
    failSwapOn: false,
    // The disk of a developer is fuller than that of a server.
    evictionHard: { 'memory.available': '200Mi', 'nodefs.available': '2%', 'imagefs.available': '2%' },
    imageGCHighThresholdPercent: 100,
    imageMinimumGCAge: '24h',
  }),
];

const kubeProxy = () => ({
  apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
  kind: 'KubeProxyConfiguration',
  mode: 'iptables',
  clientConnection: { kubeconfig },
  hostnameOverride: 'node',
  clusterCIDR: PODS,
  // The table of connections is the whole machine's.
  conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
});

const coredns = () => `.:53 {
  bind ${NODE_IP}
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
