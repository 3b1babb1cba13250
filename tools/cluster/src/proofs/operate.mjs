import { randomBytes } from 'node:crypto';
import { NAME } from '../names.mjs';
import { attemptContinuo, continuo, ours, secret, untilReady } from '../release.mjs';
import { during } from './disturb.mjs';

/** The tools pod looks at everything and finds nothing wrong. */
export const doctorProof = {
  name: 'doctor',
  run: async () => {
    const { code, stdout } = await attemptContinuo('doctor');
    return { code, last: stdout.trim().split('\n').slice(-1)[0], notFine: stdout.split('\n').filter((line) => /\[(FAIL|WARN)/.test(line)) };
  },
};

/** CONTINUO_SECRET replaced under load: the commands of docs/operate/rotate-secrets.md. */
export const rotateProof = {
  name: 'rotate',
  run: async () => {
    let status;
    const seen = await during('rotate', async () => {
      const old = await secret('continuo-secret');
      const fresh = randomBytes(32).toString('hex');
      const patch = JSON.stringify({ stringData: { 'continuo-secret': fresh, 'continuo-secret-previous': old } });
      await ours('patch', 'secret', NAME, '--patch', patch);
      await ours('rollout', 'restart', 'deployment', '--selector', 'app.kubernetes.io/instance=music');
      await untilReady();
      await continuo('secrets', 'rotate');
      status = await continuo('secrets', 'status');
    });
    return { ...seen, status };
  },
};
