import { get, runInside } from '../cluster.mjs';
import { NAME, NAMESPACE } from '../names.mjs';
import { connect, ours, untilReady, upgrade } from '../release.mjs';
import { until } from '../shell.mjs';

const SERVICES = 'app.kubernetes.io/component in (gateway, library, playback, social, ingestion, transcoding, sonic)';

/** One backup at once, things change, and the restore takes them back: the commands of docs/operate/backup.md. */
export const backupProof = {
  name: 'backup',
  run: async () => {
    const mark = String(Date.now());
    const client = await connect();
    await client.compat('createPlaylist', { name: `before-${mark}` });
    await ours('create', 'job', `--from=cronjob/${NAME}-backup`, 'now');
    const backup = await ended('now');
    await client.compat('createPlaylist', { name: `after-${mark}` });
    const startedAt = Date.now();
    const restored = await restore(/\/backups\/continuo-[0-9TZ-]+/.exec(backup)?.[0]);
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    // A CronJob tidies up after itself, these as well.
    await ours('delete', 'job', 'now', 'restore', '--ignore-not-found');
    return { seconds, ...(await look(mark)), backup: backup.split('\n'), restored: restored.split('\n') };
  },
};

const look = async (mark) => {
  const client = await connect();
  const names = ((await client.compat('getPlaylists')).playlists.playlist ?? []).map(({ name }) => name);
  return { hasBefore: names.includes(`before-${mark}`), hasAfter: names.includes(`after-${mark}`), songs: (await client.songs()).length };
};

const restore = async (folder) => {
  await ours('scale', 'deployment', '-l', SERVICES, '--replicas', '0');
  await until('the services have ended', async () => (await get('--namespace', NAMESPACE, 'pods', '-l', SERVICES)).items.length === 0);
  const job = JSON.parse(await ours('create', 'job', `--from=cronjob/${NAME}-backup`, 'restore', '--dry-run=client', '-o', 'json'));
  const container = job.spec.template.spec.containers[0];
  container.args = ['restore', folder, '--replace'];
  await runInside('kubectl', ['--namespace', NAMESPACE, 'apply', '-f', '-'], { input: JSON.stringify(job) });
  const said = await ended('restore');
  await upgrade();
  // What an autoscaler looks after is not scaled back by Helm, and an autoscaler lets nothing be nothing.
  await ours('scale', 'deployment', `${NAME}-transcoding`, '--replicas', '1');
  await untilReady();
  return said;
};

/** Waits for the end of a job and answers what it printed. @throws Error with it when the job failed */
const ended = async (name) => {
  const { status } = await until(`the job ${name} has ended`, async () => {
    const job = await get('--namespace', NAMESPACE, 'job', name);
    return (job.status.conditions ?? []).some(({ type }) => type === 'Complete' || type === 'Failed') && job;
  });
  const said = await ours('logs', `job/${name}`);
  if (!status.succeeded) throw new Error(`${name}: ${said}`);
  return said;
};
