import { join } from 'node:path';
import { apply, get, kubectl } from './cluster.mjs';
import { fromScratch, importImages } from './containers.mjs';
import { buildPrograms, moduleFolder } from './programs.mjs';

const NAME = 'traefik';
const PORT = 8000;
const labels = { app: NAME };

/** The names by which a chart's values ask for it. */
export const INGRESS_CLASS = NAME;
export const PARENT = { name: 'web', namespace: NAME };

/** Traefik for objects of both kinds, as docs/operate/install.md wants it, with an image of the program that was built here. Answers where it is reached. */
export const installTraefik = async () => {
  await buildPrograms([NAME]);
  await importImages([await fromScratch(`continuo.local/${NAME}:1`, NAME, NAME)]);
  await kubectl('apply', '--server-side', '-f', join(await moduleFolder('gateway-api'), 'config/crd/standard'));
  await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAME } });
  await apply(...account(), deployment(), service(), ...classes());
  await kubectl('--namespace', NAME, 'rollout', 'status', `deployment/${NAME}`, '--timeout=300s');
  const { spec } = await get('--namespace', NAME, 'service', NAME);
  return `${spec.clusterIP}:80`;
};

const READ = ['get', 'list', 'watch'];

const account = () => [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: NAME, namespace: NAME } },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: NAME },
    rules: [
      { apiGroups: [''], resources: ['services', 'secrets', 'configmaps', 'nodes', 'namespaces'], verbs: READ },
      { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: READ },
      { apiGroups: ['networking.k8s.io'], resources: ['ingresses', 'ingressclasses'], verbs: READ },
      { apiGroups: ['networking.k8s.io'], resources: ['ingresses/status'], verbs: ['update'] },
      { apiGroups: ['gateway.networking.k8s.io'], resources: ['*'], verbs: [...READ, 'update'] },
    ],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: NAME },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: NAME },
    subjects: [{ kind: 'ServiceAccount', name: NAME, namespace: NAME }],
  },
];

const deployment = () => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: NAME, namespace: NAME },
  spec: {
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        serviceAccountName: NAME,
        containers: [
          {
            name: NAME,
            image: `continuo.local/${NAME}:1`,
            imagePullPolicy: 'Never',
            args: [
              `--entryPoints.web.address=:${PORT}`,
              '--entryPoints.web.transport.respondingTimeouts.readTimeout=0',
              '--providers.kubernetesIngress=true',
              '--providers.kubernetesGateway=true',
              '--global.checkNewVersion=false',
              '--global.sendAnonymousUsage=false',
            ],
            ports: [{ name: 'web', containerPort: PORT }],
            readinessProbe: { tcpSocket: { port: 'web' } },
          },
        ],
      },
    },
  },
});

const service = () => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: NAME, namespace: NAME },
  spec: { selector: labels, ports: [{ port: 80, targetPort: 'web' }] },
});

const classes = () => [
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name: INGRESS_CLASS },
    spec: { controller: 'traefik.io/ingress-controller' },
  },
  {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'GatewayClass',
    metadata: { name: NAME },
    spec: { controllerName: 'traefik.io/gateway-controller' },
  },
  {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: PARENT,
    spec: {
      gatewayClassName: NAME,
      listeners: [{ name: 'web', port: PORT, protocol: 'HTTP', allowedRoutes: { namespaces: { from: 'All' } } }],
    },
  },
];
