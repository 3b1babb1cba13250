import { setTimeout as sleep } from 'node:timers/promises';
import { get, kubectl, runInside } from '../cluster.mjs';
import { cleanUpNode, cutOff, killNode, nodeNames, prepareNode, reconnect, removeNode, startNode } from '../nodes.mjs';
import { list, pods, untilReady, upgrade } from '../release.mjs';
import { say, until } from '../shell.mjs';
import { during, SETTLE_MS } from './disturb.mjs';

/*
 * Nodes of a cluster go, one way or another, while clients ask.
 */

const component = ({ metadata }) => metadata.labels['app.kubernetes.io/component'];

/** Which components have pods on which node. */
const placement = async () => {
  const found = {};
  for (const pod of await pods()) (found[pod.spec.nodeName ?? 'none'] ??= []).push(component(pod));
  return Object.fromEntries(Object.entries(found).map(([node, names]) => [node, names.toSorted().join(' ')]));
};

/** Node of the pod of a component that has one. */
const nodeOf = async (kind) => (await pods(kind))[0].spec.nodeName;

/** Copies stand on different nodes, and in different zones. */
export const placementProof = {
  name: 'placement',
  run: async () => {
    const shared = {};
    for (const kind of ['gateway', 'library', 'nats']) {
      const nodes = (await pods(kind)).map(({ spec }) => spec.nodeName);
      shared[kind] = nodes.length - new Set(nodes).size;
    }
    return { shared, placement: await placement() };
  },
};

/** Each node is emptied as for maintenance, and comes back. */
export const drainProof = {
  name: 'drain',
  run: async () => {
    const found = {};
    for (const node of nodeNames()) {
      found[node] = await during(`drain-${node}`, async () => {
        await drain(node);
        await kubectl('uncordon', node);
      });
      say(`${node} drained: ${JSON.stringify(found[node])}`);
    }
    return { ...found, placement: await placement() };
  },
};

const drain = (node) => kubectl('drain', node, '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=600s');

/** How long a node stays away, ms: Kubernetes notices after 50 s. */
const AWAY_MS = 120_000;

/** Power of a node is lost: first of one without Postgres, then of that with it, which is moved as the handbook says. */
export const lossProof = {
  name: 'loss',
  run: async () => {
    const withPostgres = await nodeOf('postgres');
    const other = nodeNames().find((name) => name !== withPostgres);
    const found = {};
    found.other = await during(`loss-${other}`, async () => {
      await killNode(other);
      await sleep(AWAY_MS);
      await startNode(other);
    });
    say(`power of ${other} lost: ${JSON.stringify(found.other)}`);
    found.postgres = await during(`loss-${withPostgres}`, async () => {
      await killNode(withPostgres);
      await until('Kubernetes has noticed', async () => !(await isReady(withPostgres)), { limitMs: 180_000 });
      await kubectl('taint', 'node', withPostgres, `${OUT_OF_SERVICE}:NoExecute`);
      await until('Postgres is on another node', async () => isMoved(withPostgres), { limitMs: 180_000 });
      await startNode(withPostgres);
      await kubectl('taint', 'node', withPostgres, `${OUT_OF_SERVICE.split('=')[0]}-`);
    });
    say(`power of ${withPostgres}, with Postgres, lost: ${JSON.stringify(found.postgres)}`);
    return { ...found, placement: await placement() };
  },
};

/** Says that a node has no power: what stood on it may be started elsewhere with its volumes. */
const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service=nodeshutdown';

const isReady = async (name) =>
  (await get('node', name)).status.conditions.some(({ type, status }) => type === 'Ready' && status === 'True');

const isMoved = async (from) => {
  const [pod] = await pods('postgres');
  return pod?.spec.nodeName !== from && pod?.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
};

/** A node without Postgres is cut off from all others for two minutes. */
export const cutOffProof = {
  name: 'cut-off',
  run: async () => {
    const withPostgres = await nodeOf('postgres');
    const node = nodeNames().find((name) => name !== withPostgres);
    const seen = await during(`cut-off-${node}`, async () => {
      await cutOff(node);
      await sleep(AWAY_MS);
      await reconnect(node);
      await until('the node is ready again', () => isReady(node));
      // Its server of NATS makes the others choose leaders once more, and catches up.
      await sleep(SETTLE_MS);
    });
    return { ...seen, placement: await placement() };
  },
};

/** The tag that the images of the release do not have now. */
const otherTag = async () => ((await pods('gateway'))[0].spec.containers[0].image.endsWith(':next') ? 'latest' : 'next');

/** All nodes are replaced by new ones, one after another, while the release is upgraded. */
export const replacementProof = {
  name: 'replacement',
  run: async () => {
    const old = nodeNames();
    const highest = Math.max(...old.map((name) => Number(/\d+$/.exec(name)?.[0])));
    const fresh = old.map((_, index) => `node-${highest + index + 1}`);
    for (const name of fresh) await prepareNode(name);
    await runInside('sync', []);
    const seen = await during('replacement', async () => {
      const upgraded = upgrade('--set', `image.tag=${await otherTag()}`);
      for (const [index, node] of old.entries()) {
        await startNode(fresh[index]);
        await drain(node);
        await removeNode(node);
        await untilReady();
        say(`${node} is replaced`);
      }
      await upgraded;
    });
    for (const node of old) await cleanUpNode(node);
    const images = new Set((await list('pods')).flatMap(({ spec }) => spec.containers.map(({ image }) => image)));
    return { ...seen, nodes: nodeNames(), images: [...images], placement: await placement() };
  },
};
