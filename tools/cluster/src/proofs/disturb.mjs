import { setTimeout as sleep } from 'node:timers/promises';
import { kubectl } from '../cluster.mjs';
import { Load } from '../load.mjs';
import { NAMESPACE } from '../names.mjs';
import { connect, pods, untilReady } from '../release.mjs';
import { say } from '../shell.mjs';

/** How a pod goes: as when a node is emptied, or as when it burns down. */
const ways = [
  { how: 'told', args: [] },
  { how: 'killed', args: ['--grace-period=0', '--force'] },
];

const KINDS = ['gateway', 'library', 'playback', 'social', 'ingestion', 'transcoding', 'nats', 'postgres'];

/** A moment of quiet load around each event, ms. */
const AROUND_MS = 3000;

/** Pods of every kind go while clients ask: what each of them saw. */
export const disturbProof = {
  name: 'disturb',
  run: async (kinds = KINDS) => {
    const found = {};
    for (const kind of kinds)
      for (const { how, args } of ways) {
        found[`${kind} ${how}`] = await during(`${kind}-${how}`, () => deletePods(kind, args));
        say(`${kind} ${how}: ${JSON.stringify(found[`${kind} ${how}`])}`);
      }
    return found;
  },
};

/** What clients see while something happens, and until everything is ready again. */
export const during = async (mark, happen) => {
  const load = await new Load(await connect()).start(`${mark}-${Date.now()}`);
  await sleep(AROUND_MS);
  const startedAt = Date.now();
  await happen();
  await untilReady();
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  await sleep(AROUND_MS);
  return { seconds, ...(await load.finish()) };
};

/** One pod; of NATS each, one after the other. */
const deletePods = async (kind, args) => {
  const all = await pods(kind);
  for (const pod of kind === 'nats' ? all : all.slice(0, 1)) {
    await kubectl('--namespace', NAMESPACE, 'delete', 'pod', pod.metadata.name, ...args);
    await untilReady();
  }
};
