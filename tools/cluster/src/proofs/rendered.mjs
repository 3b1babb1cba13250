import { apply, runInside } from '../cluster.mjs';
import { NAME, NAMESPACE, RELEASE } from '../names.mjs';
import { chart } from '../paths.mjs';
import { connect, helm, list, ours, secret, untilReady, values } from '../release.mjs';
import { until } from '../shell.mjs';
import { during } from './disturb.mjs';

const ADMINISTRATOR = 'first-administrator';

/** Objects that were rendered beside the cluster are applied over the data of a release, as by Argo CD or Flux, and another image with them while clients ask. */
export const renderedProof = {
  name: 'rendered',
  run: async () => {
    const songs = (await (await connect()).songs()).length;
    await apply(administrator(await secret('admin-password')));
    const [first, again, next] = [await render(), await render(), await render('--set', 'image.tag=next')];
    await helm('uninstall', RELEASE, '--wait');
    await until('no pod is left', async () => (await list('pods')).length === 0);
    await applyText(first);
    await untilReady();
    const after = (await (await connect()).songs()).length;
    const changed = await during('rendered', async () => {
      // A job cannot be changed: those that render apart delete hooks before they make them.
      await ours('delete', 'job', `${NAME}-prepare`);
      await applyText(next);
      await untilReady();
    });
    return { isRenderedEqual: first === again, songs: [songs, after], changed };
  },
};

const administrator = (password) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: ADMINISTRATOR, namespace: NAMESPACE },
  stringData: { password },
});

/** The chart as text, made without a look at the cluster: its secrets are named. */
const render = (...more) =>
  helm(
    'template',
    RELEASE,
    chart,
    '--kube-version',
    '1.33',
    ...values(),
    '--set',
    `secrets.existingSecret=${NAME},administrator.existingSecret=${ADMINISTRATOR}`,
    ...more,
  );

const applyText = (input) =>
  runInside('kubectl', ['--namespace', NAMESPACE, 'apply', '--server-side', '--force-conflicts', '-f', '-'], { input });
