import { Client } from '../client.mjs';
import { startInside } from '../cluster.mjs';
import { countMusic } from '../music.mjs';
import { NAME, NAMESPACE } from '../names.mjs';
import { secret } from '../release.mjs';
import { until } from '../shell.mjs';

const PORT = 18080;

/** As the notes of the installation say: the password from the secret, a forwarded port, a catalog, a scan, a search, a stream. */
export const firstPlayProof = {
  name: 'first-play',
  run: async () => {
    const forward = startInside('kubectl', ['--namespace', NAMESPACE, 'port-forward', `service/${NAME}`, `${PORT}:80`]);
    try {
      const client = new Client(() => `http://127.0.0.1:${PORT}`, { password: await secret('admin-password') });
      await until('the forwarded port answers', async () => (await client.login(), true), { limitMs: 60_000 });
      return await play(client);
    } finally {
      forward.kill();
    }
  },
};

const play = async (client) => {
  const startedAt = Date.now();
  await client.native('catalog_add', { name: 'music', path: '/media/music' });
  const { catalog } = await client.native('catalogs');
  await client.native('catalog_action', { task: 'add_to_catalog', catalog: catalog[0].id });
  const files = countMusic();
  const songs = await until('the scan has found every song', async () => {
    const found = await client.songs();
    return found.length === files && found;
  });
  const scanSeconds = (Date.now() - startedAt) / 1000;
  const original = await client.stream(songs[0].id);
  const mp3 = await client.stream(songs[0].id, { format: 'mp3', maxBitRate: '96' });
  const ping = await client.compat('ping');
  return { songs: songs.length, scanSeconds, original, mp3, ping: ping.status };
};
