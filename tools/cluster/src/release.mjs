import { fileURLToPath } from 'node:url';
import { apply, attemptInside, get, kubectl, runInside } from './cluster.mjs';
import { Client } from './client.mjs';
import { meilisearchProgram } from '../../local-images/src/config.mjs';
import { music } from './music.mjs';
import { NAME, NAMESPACE, RELEASE } from './names.mjs';
import { nodeNames } from './nodes.mjs';
import { chart } from './paths.mjs';
import { until } from './shell.mjs';

const valuesIn = (name) => ['--values', fileURLToPath(new URL(`../${name}`, import.meta.url))];

/** Arguments of helm with the values of an installation here, for one node or for several. */
export const values = () => [
  ...valuesIn('values.yaml'),
  ...(nodeNames().length > 1 ? valuesIn('several-nodes-values.yaml') : []),
  ...(meilisearchProgram ? valuesIn('meilisearch-values.yaml') : []),
  '--set',
  `media[0].hostPath=${music},media[0].name=music,media[0].mountPath=/media/music`,
];

/** kubectl in the namespace of the release. */
export const ours = (...args) => kubectl('--namespace', NAMESPACE, ...args);

/** Objects of the release, as Kubernetes has them. */
export const list = async (...args) => (await get('--namespace', NAMESPACE, ...args)).items;

/** Installs the chart as docs/operate/kubernetes.md says. @param {string[]} [more] further arguments of helm */
export const install = async (more = []) => {
  await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  return helm('install', RELEASE, chart, ...values(), '--wait', '--timeout', '15m', ...more);
};

/** Upgrades with the values as they are and some more; what a newer chart has beside them comes with its defaults. */
export const upgrade = (...more) => helm('upgrade', RELEASE, chart, '--reset-then-reuse-values', ...more, '--wait', '--timeout', '20m');

/** helm in the namespace of the release. */
export const helm = (...args) => runInside('helm', [args[0], '--namespace', NAMESPACE, ...args.slice(1)]);

/** The program of operators in the tools pod. */
export const continuo = (...args) => ours('exec', `deployment/${NAME}-tools`, '--', 'continuo', ...args);

/** The same, whatever it ends with. */
export const attemptContinuo = (...args) =>
  attemptInside('kubectl', ['--namespace', NAMESPACE, 'exec', `deployment/${NAME}-tools`, '--', 'continuo', ...args]);

/** One value of the release's secret. */
export const secret = async (key) => {
  const { data } = await get('--namespace', NAMESPACE, 'secret', NAME);
  return Buffer.from(data[key] ?? '', 'base64').toString('utf8');
};

/** A client of the first administrator, over the service as pods and nodes reach it. */
export const connect = async () => {
  const { spec } = await get('--namespace', NAMESPACE, 'service', NAME);
  const client = new Client(() => `http://${spec.clusterIP}:${spec.ports[0].port}`, { password: await secret('admin-password') });
  await until('a gateway lets the administrator in', async () => (await client.login(), true), { limitMs: 120_000 });
  return client;
};

const component = (pod) => pod.metadata.labels['app.kubernetes.io/component'];

/** Pods that run, by what they are. @param {string} [of] one component alone */
export const pods = async (of) => (await list('pods')).filter((pod) => of === undefined || component(pod) === of);

/** Restart counts of containers, where above zero. */
export const restarts = async () =>
  (await pods())
    .map((pod) => [pod.metadata.name, (pod.status.containerStatuses ?? []).reduce((sum, { restartCount }) => sum + restartCount, 0)])
    .filter(([, count]) => count > 0);

/** Waits until every deployment and set has as many ready pods as it wants and nothing is being replaced. */
export const untilReady = (limitMs = 600_000) =>
  until(
    'everything is ready',
    async () => {
      const owners = [...(await list('deployments')), ...(await list('statefulsets'))];
      const whole = owners.every(
        ({ spec, status, metadata }) =>
          (status.observedGeneration ?? 0) >= metadata.generation &&
          (status.readyReplicas ?? 0) === spec.replicas &&
          (status.updatedReplicas ?? 0) === spec.replicas,
      );
      return whole && (await list('pods')).every(({ metadata }) => metadata.deletionTimestamp === undefined);
    },
    { limitMs, everyMs: 1000 },
  );
