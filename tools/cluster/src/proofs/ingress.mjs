import { request } from 'node:http';
import { Readable } from 'node:stream';
import { Client } from '../client.mjs';
import { ours, secret, untilReady, upgrade } from '../release.mjs';
import { until } from '../shell.mjs';
import { INGRESS_CLASS, installTraefik, PARENT } from '../traefik.mjs';
import { during } from './disturb.mjs';

/** Names that nobody resolves here: one comes by the Ingress, the other by the HTTPRoute. */
const HOSTS = { ingress: 'music.example.org', route: 'songs.example.org' };

/** The chart's Ingress and its HTTPRoute behind Traefik: a client of each name, and clients while the gateways are replaced. */
export const ingressProof = {
  name: 'ingress',
  run: async () => {
    const address = await installTraefik();
    const objects = {
      'ingress.enabled': true,
      'ingress.className': INGRESS_CLASS,
      'ingress.hosts[0].host': HOSTS.ingress,
      'httpRoute.enabled': true,
      'httpRoute.parentRefs[0].name': PARENT.name,
      'httpRoute.parentRefs[0].namespace': PARENT.namespace,
      'httpRoute.hostnames[0]': HOSTS.route,
    };
    await upgrade(...Object.entries(objects).flatMap(([name, value]) => ['--set', `gateway.${name}=${value}`]));
    const found = {};
    for (const [kind, host] of Object.entries(HOSTS)) found[kind] = await visit(host, address);
    const password = await secret('admin-password');
    const client = new Client(() => `http://${HOSTS.ingress}`, { password, fetch: reachedAt(address) });
    await client.login();
    const restarted = async () => {
      await ours('rollout', 'restart', 'deployment/music-continuo-gateway');
      await untilReady();
    };
    found.restart = await during('ingress-restart', restarted, client);
    return found;
  },
};

/** Requests a page by the host name of the ingress. */
const visit = async (host, address) => {
  const client = new Client(() => `http://${host}`, { password: await secret('admin-password'), fetch: reachedAt(address) });
  await until(`${host} answers`, async () => (await client.login(), true), { limitMs: 120_000 });
  const songs = await client.songs();
  const { song } = await client.native('songs', { limit: '1' });
  const original = await client.stream(songs[0].id);
  const mp3 = await client.stream(songs[0].id, { format: 'mp3', maxBitRate: '96' });
  const part = await client.stream(songs[0].id, {}, { headers: { range: 'bytes=1000-1999' } });
  return { songs: songs.length, original, mp3, part, addressOfASong: new URL(song[0].url).origin };
};

/** As if the name led to that address. */
const reachedAt = (address) => (url, init) =>
  new Promise((resolve, reject) => {
    const { host, pathname, search } = new URL(url);
    const asked = request(`http://${address}${pathname}${search}`, { headers: { ...init.headers, host }, signal: init.signal }, (answer) =>
      resolve(new Response(Readable.toWeb(answer), { status: answer.statusCode, headers: Object.entries(answer.headers) })),
    );
    asked.once('error', reject);
    asked.end();
  });
