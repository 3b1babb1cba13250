import { list, ours, restarts, upgrade } from '../release.mjs';
import { during } from './disturb.mjs';

/** `helm upgrade` under load: a changed setting, another tag of the images, the way back, and a restart of everything as for a new secret. */
export const upgradeProof = {
  name: 'upgrade',
  run: async () => {
    const setting = await during('setting', () => upgrade('--set', 'config.LOG_LEVEL=debug'));
    const tag = await during('tag', () => upgrade('--set', 'image.tag=next'));
    const images = new Set((await list('pods')).flatMap(({ spec }) => spec.containers.map(({ image }) => image)));
    const back = await during('back', () => ours('rollout', 'restart', 'deployment', '--selector', 'app.kubernetes.io/instance=music'));
    return { setting, tag, images: [...images], restart: back, restarts: await restarts() };
  },
};
