import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { config } from './config.js';
import { chart, render, type KubernetesObject, type Rendering } from './render.js';

const GIB = 1024 ** 3;

const natsOf = async (
  rendering: Rendering,
): Promise<{ readonly files: Readonly<Record<string, string>>; readonly set: KubernetesObject }> => {
  const objects = await render(rendering);
  const [files, set] = ['ConfigMap', 'StatefulSet'].map((kind) =>
    objects.find((object) => object.kind === kind && object.metadata.name === 'music-continuo-nats'),
  );
  if (!files || !set) throw new Error('there is no NATS');
  return { files: files['data'], set };
};

const limitOf = (file: string | undefined): number => Number(/^\s*max_file_store: (\d+)$/m.exec(file ?? '')?.[1]);

describe.skipIf(config.helm === undefined)('the full disk of the log, in the chart', { timeout: 60_000 }, () => {
  it.each(['minimal', 'no-keda', 'production', 'air-gapped'])('has the health check that compose has, with %s values', async (values) => {
    const { files, set } = await natsOf({ values });
    expect(files['health.sh']?.trimEnd()).toBe((await readFile(join(chart, '../../deploy/nats-health.sh'), 'utf8')).trimEnd());
    const { livenessProbe, startupProbe, volumeMounts } = set['spec'].template.spec.containers[0];
    expect(livenessProbe.exec.command).toEqual(['sh', '/etc/nats/health.sh']);
    expect(startupProbe.exec.command.at(-1)).toMatch(/^sh \/etc\/nats\/health\.sh && /);
    expect(volumeMounts).toContainEqual({ name: 'config', mountPath: '/etc/nats', readOnly: true });
    // It is looked at often enough for a log that is writable again within 30 s, and a slow answer or two end nothing.
    expect(livenessProbe.periodSeconds).toBeLessThanOrEqual(10);
    expect(livenessProbe.periodSeconds * livenessProbe.failureThreshold).toBeGreaterThanOrEqual(90);
  });

  it.each([
    ['20Gi', 18 * GIB],
    ['1.5Ti', Math.floor(1.35 * 1024 * GIB)],
    ['500G', 450e9],
    ['1073741824', Math.floor(0.9 * GIB)],
  ])('lets NATS use nine tenths of a volume of %s', async (size, bytes) => {
    const { files, set } = await natsOf({ set: { 'nats.storage.size': size } });
    expect(String(set['spec'].volumeClaimTemplates[0].spec.resources.requests.storage)).toBe(size);
    expect(limitOf(files['nats.conf'])).toBe(bytes);
  });

  it('refuses a size that it cannot take nine tenths of', async () => {
    await expect(render({ set: { 'nats.storage.size': '20 GB' } })).rejects.toThrow(/size/);
  });
});
