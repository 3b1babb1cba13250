import { connect, list, pods } from '../release.mjs';
import { until } from '../shell.mjs';

/** More transcoders while people listen: the autoscaler of the chart, by processor time. */
export const scalingProof = {
  name: 'scaling',
  run: async () => {
    const client = await connect();
    const startedAt = Date.now();
    const before = await readyWorkers();
    const listeners = new Listeners(client, await client.songs());
    try {
      await until('the autoscaler has made more workers', async () => (await readyWorkers()) > before, { everyMs: 2000 });
    } finally {
      await listeners.end();
    }
    const upSeconds = Math.round((Date.now() - startedAt) / 1000);
    const [scaler] = await list('horizontalpodautoscalers');
    return { before, after: await readyWorkers(), upSeconds, transcodes: listeners.taken, metrics: scaler?.status.currentMetrics };
  },
};

/** Workers that are ready. */
export const readyWorkers = async () =>
  (await pods('transcoding')).filter(({ status }) => status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'))
    .length;

/** People who listen to one song after the other, each in a form that nobody has asked for before. */
class Listeners {
  taken = 0;
  #isOver = false;
  #work;

  constructor(client, songs) {
    this.#work = Promise.all([1, 2, 3].map((number) => this.#listen(client, songs, number)));
  }

  async end() {
    this.#isOver = true;
    await this.#work;
  }

  async #listen(client, songs, number) {
    for (let turn = 0; !this.#isOver; turn += 1) {
      const form = { format: 'mp3', maxBitRate: String(64 + ((turn * 7 + number) % 180)) };
      const { status } = await client.stream(songs[(turn + number) % songs.length].id, form);
      if (status === 200) this.taken += 1;
    }
  }
}
