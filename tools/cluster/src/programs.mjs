import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { built, programs } from './paths.mjs';
import { run, say } from './shell.mjs';

const KUBERNETES = 'v1.33.13';

/** CoreDNS with no more of its plug-ins than a cluster without a way out needs. */
const COREDNS = `package main

import (
	"github.com/coredns/coredns/core/dnsserver"
	"github.com/coredns/coredns/coremain"
	_ "github.com/coredns/coredns/plugin/bind"
	_ "github.com/coredns/coredns/plugin/cache"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/kubernetes"
)

func main() {
	dnsserver.Directives = []string{"bind", "errors", "cache", "kubernetes"}
	coremain.Run()
}
`;

/** Program that holds the namespaces of a pod. */
const PAUSE = `package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	<-signals
}
`;

const kubernetesVersion = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap((package_) => [
  `-X ${package_}.gitVersion=${KUBERNETES}`,
  `-X ${package_}.gitMajor=1`,
  `-X ${package_}.gitMinor=${KUBERNETES.split('.')[1]}`,
  `-X ${package_}.gitTreeState=clean`,
]);

/**
 * Programs and the published Go module that each is built from. `sibling` is the version that stands for modules which the published one replaces by folders of its own repository.
 * 1.33 is the last Kubernetes that runs where control groups are of version 1.
 */
const groups = [
  {
    name: 'kubernetes',
    module: 'k8s.io/kubernetes',
    version: KUBERNETES,
    sibling: KUBERNETES.replace('v1.', 'v0.'),
    packages: ['kubectl', 'kubelet', 'kube-proxy', 'kube-scheduler', 'kube-controller-manager', 'kube-apiserver'].map(
      (name) => `k8s.io/kubernetes/cmd/${name}`,
    ),
    flags: kubernetesVersion,
  },
  { name: 'etcd', module: 'go.etcd.io/etcd/server/v3', version: 'v3.6.5', packages: ['go.etcd.io/etcd/server/v3'], as: 'etcd' },
  { name: 'coredns', module: 'github.com/coredns/coredns', version: 'v1.15.0', source: COREDNS },
  {
    name: 'cni',
    module: 'github.com/containernetworking/plugins',
    version: 'v1.9.1',
    packages: ['main/bridge', 'main/loopback', 'ipam/host-local', 'meta/portmap'].map(
      (name) => `github.com/containernetworking/plugins/plugins/${name}`,
    ),
  },
  { name: 'helm', module: 'helm.sh/helm/v3', version: 'v3.22.0', packages: ['helm.sh/helm/v3/cmd/helm'] },
  { name: 'pause', version: '1', source: PAUSE },
  {
    name: 'metrics-server',
    module: 'sigs.k8s.io/metrics-server',
    version: 'v0.9.0',
    packages: ['sigs.k8s.io/metrics-server/cmd/metrics-server'],
  },
  {
    name: 'keda',
    module: 'github.com/kedacore/keda/v2',
    version: 'v2.20.2',
    packages: ['operator', 'adapter'].map((name) => `github.com/kedacore/keda/v2/cmd/${name}`),
    optional: true,
  },
  {
    name: 'traefik',
    module: 'github.com/traefik/traefik/v3',
    // 3.7 asks for a module that is not published.
    version: 'v3.6.7',
    packages: ['github.com/traefik/traefik/v3/cmd/traefik'],
    optional: true,
  },
  // Nothing is built of it: its definitions are applied.
  { name: 'gateway-api', module: 'sigs.k8s.io/gateway-api', version: 'v1.5.1', packages: [], optional: true },
];

/** Builds what is missing. @param {string[]} [only] names of groups; without it all but the optional ones */
export const buildPrograms = async (only) => {
  for (const group of groups) {
    if (only ? !only.includes(group.name) : group.optional) continue;
    const stamp = join(built, group.name, 'built');
    const wanted = `${group.version} ${group.source ?? ''}`;
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) continue;
    say(`building ${group.name} ${group.version} (once) …`);
    await buildGroup(group);
    writeFileSync(stamp, wanted);
  }
};

/** Where a module that was fetched for a group lies, such as KEDA's with its definitions. */
export const moduleFolder = async (name) => {
  const group = groups.find((one) => one.name === name);
  return (await fetched(group)).Dir;
};

const buildGroup = async (group) => {
  const folder = join(built, group.name);
  mkdirSync(folder, { recursive: true });
  mkdirSync(programs, { recursive: true });
  await writeModule(folder, group);
  if (group.source) writeFileSync(join(folder, 'main.go'), group.source);
  const target = group.source || group.as ? join(programs, group.as ?? group.name) : `${programs}/`;
  const flags = ['-s', '-w', ...(group.flags ?? [])].join(' ');
  const packages = group.source ? ['.'] : group.packages;
  await go(folder, ['build', '-p', '2', '-trimpath', '-ldflags', flags, '-o', target, ...packages]);
};

/** A module of our own that asks for the published one, with its replacements as far as they are published. */
const writeModule = async (folder, group) => {
  const lines = [`module continuo.local/${group.name}`, '', 'go 1.26.0'];
  if (group.module) {
    const { GoMod, Dir } = await fetched(group);
    const { Replace } = JSON.parse(await run('go', ['mod', 'edit', '-json', GoMod]));
    lines.push('', `require ${group.module} ${group.version}`, '', ...(Replace ?? []).flatMap((one) => replacement(one, group)));
    // What the published module trusts.
    if (existsSync(join(Dir, 'go.sum'))) writeFileSync(join(folder, 'go.sum'), readFileSync(join(Dir, 'go.sum')));
  }
  writeFileSync(join(folder, 'go.mod'), `${lines.join('\n')}\n`);
};

const replacement = ({ Old, New }, { sibling }) => {
  if (New.Version) return [`replace ${Old.Path} => ${New.Path} ${New.Version}`];
  return sibling ? [`replace ${Old.Path} => ${Old.Path} ${sibling}`] : [];
};

const fetched = async ({ module: path, version }) =>
  JSON.parse(await run('go', ['mod', 'download', '-json', `${path}@${version}`], { cwd: built }));

const go = (cwd, args) => run('nice', ['-n', '10', 'go', ...args], { cwd, env: { CGO_ENABLED: '0', GOFLAGS: '-mod=mod -buildvcs=false' } });
