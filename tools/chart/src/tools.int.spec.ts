import { describe, expect, it } from 'vitest';
import { config } from './config.js';
import { render, type KubernetesObject, type Rendering } from './render.js';

if (config.helm === undefined) console.warn('The command line in the Helm chart is not tested: helm not found (HELM_BIN).');

const named = async (rendering: Rendering, kind: string, name: string): Promise<KubernetesObject | undefined> =>
  (await render(rendering)).find((object) => object.kind === kind && object.metadata.name === name);

const container = async (rendering: Rendering = {}) =>
  (await named({ ...rendering, set: { 'tools.enabled': true, ...rendering.set } }, 'Deployment', 'music-continuo-tools'))?.['spec'].template
    .spec.containers[0];

describe.skipIf(config.helm === undefined)('the command line in the Helm chart', { timeout: 60_000 }, () => {
  it('waits in a pod of its own when it is wanted', async () => {
    expect(await named({}, 'Deployment', 'music-continuo-tools')).toBeUndefined();
    const { image, command, env } = await container();
    expect(image).toContain('tools');
    expect(command.slice(0, 2)).toEqual(['node', '-e']);
    expect(env.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['CONTINUO_SECRET', 'CONTINUO_SECRET_PREVIOUS', 'DATABASE_URL', 'NATS_URL', 'NATS_USER', 'NATS_PASSWORD']),
    );
  });

  it('sees the media as ingestion does, and writes none', async () => {
    const { volumeMounts } = await container({ values: 'production' });
    expect(volumeMounts).toContainEqual({ name: 'media-uploads', mountPath: '/media/uploads', readOnly: true });
  });

  it('may reach Postgres and NATS where network policies are on', async () => {
    const set = { 'tools.enabled': true, 'networkPolicy.enabled': true };
    for (const name of ['music-continuo-nats', 'music-continuo-postgres'])
      expect(JSON.stringify((await named({ set }, 'NetworkPolicy', name))?.['spec'].ingress)).toContain('"tools"');
  });

  it('shows NATS the files that a secret holds, as every service does', async () => {
    const objects = await render({ values: 'external-services', set: { 'tools.enabled': true } });
    const pods = objects.filter(({ kind }) => kind === 'Deployment' || kind === 'Job').map((object) => object['spec'].template.spec);
    expect(pods).toHaveLength(9);
    for (const { containers, volumes } of pods) {
      expect(containers[0].env).toContainEqual({ name: 'NATS_CREDS_FILE', value: '/etc/continuo-nats/continuo.creds' });
      expect(containers[0].env).toContainEqual({ name: 'NATS_TLS_CA_FILE', value: '/etc/continuo-nats/ca.pem' });
      expect(containers[0].env.map(({ name }: { name: string }) => name)).not.toContain('NATS_TLS_KEY_FILE');
      expect(containers[0].volumeMounts).toContainEqual({ name: 'nats-files', mountPath: '/etc/continuo-nats', readOnly: true });
      expect(volumes).toContainEqual({ name: 'nats-files', secret: { secretName: 'nats-files' } });
    }
  });
});
