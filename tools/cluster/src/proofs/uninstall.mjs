import { helm, install, list, secret, connect } from '../release.mjs';
import { RELEASE } from '../names.mjs';
import { until } from '../shell.mjs';

/** Checks that `helm uninstall` leaves the data, and that the next installation finds it. */
export const uninstallProof = {
  name: 'uninstall',
  run: async () => {
    const client = await connect();
    const songs = (await client.songs()).length;
    const name = `kept-${Date.now()}`;
    await client.compat('createPlaylist', { name });
    const password = await secret('admin-password');
    await helm('uninstall', RELEASE, '--wait');
    await until('no pod is left', async () => (await list('pods')).length === 0);
    const left = await namesOf('secrets,persistentvolumeclaims,configmaps,services,deployments,statefulsets,cronjobs,jobs');
    await install();
    const again = await connect();
    const { playlists } = await again.compat('getPlaylists');
    return {
      left,
      songs: [songs, (await again.songs()).length],
      isPlaylistThere: playlists.playlist.some((one) => one.name === name),
      isPasswordSame: password === (await secret('admin-password')),
    };
  },
};

const namesOf = async (kinds) =>
  (await list(kinds)).map(({ kind, metadata }) => `${kind}/${metadata.name}`).filter((name) => !/kube-root-ca|helm\.release/.test(name));
