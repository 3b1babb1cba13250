import { installKeda } from '../keda.mjs';
import { connect, continuo, list, upgrade } from '../release.mjs';
import { until } from '../shell.mjs';
import { readyWorkers } from './scaling.mjs';

const VALUES = [
  'mode=keda',
  'minReplicas=1',
  'maxReplicas=4',
  'lagThreshold=2',
  'pollingIntervalSeconds=5',
  'cooldownSeconds=30',
  'targetCpuPercent=2000',
];

/** Transcoders that come with the queue of batches and go with it: KEDA over the monitoring of NATS, with the chart's own object. */
export const kedaProof = {
  name: 'keda',
  run: async () => {
    // As few workers as can be, so that there is room on the node.
    await upgrade('--set', 'autoscaling.transcoding.mode=off');
    await installKeda();
    await upgrade('--set', VALUES.map((value) => `autoscaling.transcoding.${value}`).join(','));
    await until('the object is read', async () => isReady(await scaledObject()));
    const before = await readyWorkers();
    const startedAt = Date.now();
    const client = await connect();
    await makeBatches(client);
    let most = before;
    const note = async () => (most = Math.max(most, await readyWorkers()));
    await until('the queue has made more workers', async () => (await note()) > before, { everyMs: 1000 });
    const upSeconds = Math.round((Date.now() - startedAt) / 1000);
    await until('all batches are done', async () => (await note(), !(await continuo('transcode', 'list')).includes('running')), {
      limitMs: 900_000,
    });
    const doneSeconds = Math.round((Date.now() - startedAt) / 1000);
    await until('only the least is left', async () => (await readyWorkers()) === 1, { limitMs: 900_000, everyMs: 2000 });
    const downSeconds = Math.round((Date.now() - startedAt) / 1000) - doneSeconds;
    return { songs: (await client.songs()).length, before, most, upSeconds, doneSeconds, downSeconds };
  },
};

/** Every artist's songs in several forms, more than one worker makes at once. */
const makeBatches = async (client) => {
  const { artist } = await client.native('artists', { limit: '8' });
  for (const kbps of ['72', '88', '104'])
    for (const { id } of artist) await continuo('transcode', 'make', 'artist', id, '--to', 'mp3', '--kbps', kbps, '--no-wait');
};

const scaledObject = async () => (await list('scaledobjects'))[0];

const isReady = (object) => object?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
