import { setTimeout as sleep } from 'node:timers/promises';
import { get } from '../cluster.mjs';
import { killContainer } from '../containers.mjs';
import { Load } from '../load.mjs';
import { NAMESPACE } from '../names.mjs';
import { connect, ours, pods, untilReady } from '../release.mjs';
import { say, until } from '../shell.mjs';

/**
 * Way in which a pod ends: as when a node is emptied, or as when the system ends it for memory. Not `--force`: that lets two servers stand over one volume.
 */
const ways = [
  { how: 'told', end: ({ metadata }) => ours('delete', 'pod', metadata.name) },
  { how: 'killed', end: (pod) => killPod(pod) },
];

/** Ends the program of a pod, and returns when Kubernetes has noticed. */
const killPod = async ({ metadata, spec, status }) => {
  const [{ containerID, restartCount }] = status.containerStatuses;
  await killContainer(spec.nodeName, containerID.replace('containerd://', ''));
  await until('another container', async () => {
    const now = await get('--namespace', NAMESPACE, 'pod', metadata.name);
    return now.status.containerStatuses[0].restartCount > restartCount;
  });
};

const KINDS = ['gateway', 'library', 'playback', 'social', 'ingestion', 'transcoding', 'nats', 'postgres'];

/** A moment of quiet load around each event, ms. */
const AROUND_MS = 3000;

/** Pods of every kind go while clients ask: what each of them saw. */
export const disturbProof = {
  name: 'disturb',
  run: async (kinds = KINDS) => {
    const found = {};
    for (const kind of kinds)
      for (const { how, end } of ways) {
        found[`${kind} ${how}`] = await during(`${kind}-${how}`, () => endPods(kind, end));
        say(`${kind} ${how}: ${JSON.stringify(found[`${kind} ${how}`])}`);
      }
    return found;
  },
};

/** Records the requests of clients during a disturbance, and until everything is ready again. @param {Client} [client] how they come; without it by the service */
export const during = async (mark, happen, client) => {
  const load = await new Load(client ?? (await connect())).start(`${mark}-${Date.now()}`);
  await sleep(AROUND_MS);
  const startedAt = Date.now();
  await happen();
  await untilReady();
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  await sleep(AROUND_MS);
  return { seconds, ...(await load.finish()) };
};

/** After a server of NATS has gone or come: those that are there choose leaders among them, ms. */
export const SETTLE_MS = 15_000;

/** One pod; of NATS each, one after the other. */
const endPods = async (kind, end) => {
  const all = await pods(kind);
  for (const pod of kind === 'nats' ? all : all.slice(0, 1)) {
    await end(pod);
    await untilReady();
    if (kind === 'nats') await sleep(SETTLE_MS);
  }
};
