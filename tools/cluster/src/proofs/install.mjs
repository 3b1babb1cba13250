import { ours, install, list, pods, restarts } from '../release.mjs';
import { fillMusicFolder } from '../music.mjs';
import { NAME } from '../names.mjs';

/** `helm install … --wait` with the least values: every pod ready, and allowed no more than it was rendered with. */
export const installProof = {
  name: 'install',
  run: async () => {
    const songs = await fillMusicFolder();
    const startedAt = Date.now();
    const notes = await install();
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    const ready = (await pods()).filter(({ status }) =>
      status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
    );
    return {
      installSeconds: seconds,
      pods: (await pods()).length,
      ready: ready.length,
      restarts: await restarts(),
      songs,
      notes: notes.includes('port-forward'),
      prepareLeft: (await list('jobs')).length,
    };
  },
};

/** User and privileges of a process in each kind of pod. */
export const securityProof = {
  name: 'security',
  run: async () => {
    const found = {};
    for (const kind of ['gateway', 'library', 'playback', 'social', 'ingestion', 'transcoding', 'sonic', 'tools'])
      found[kind] = await look(`deployment/${NAME}-${kind}`);
    for (const kind of ['nats', 'postgres']) found[kind] = await look(`statefulset/${NAME}-${kind}`);
    return found;
  },
};

const LOOK = `
grep -E '^(Uid|CapEff|NoNewPrivs|Seccomp):' /proc/1/status
(touch /etc/continuo-test 2>/dev/null && echo root:written) || echo root:refused
[ -e /var/run/secrets/kubernetes.io ] && echo token:there || echo token:none
`;

const look = async (where) => {
  const lines = (await ours('exec', where, '--', 'sh', '-c', LOOK)).split('\n');
  return lines.map((line) => line.trim().replace(/\s+/g, ' ')).join('; ');
};
