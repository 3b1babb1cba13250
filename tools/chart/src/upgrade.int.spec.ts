import { describe, expect, it } from 'vitest';
import { config } from './config.js';
import { render, valueSets, type KubernetesObject } from './render.js';

const variables = (deployment: KubernetesObject): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (deployment['spec'].template.spec.containers[0].env as { name: string; value?: string }[]).map(({ name, value }) => [
      name,
      value ?? '',
    ]),
  );

describe.skipIf(config.helm === undefined)('an upgrade by the chart', { timeout: 60_000 }, () => {
  it.each(valueSets)('replaces copies one by one, new before old where there is room, with %s values', async (values) => {
    const services = (await render({ values })).filter(
      ({ kind, spec }) => kind === 'Deployment' && spec.template.metadata.labels['continuo.dev/metrics'],
    );
    expect(services.length).toBeGreaterThanOrEqual(6);
    for (const { metadata, spec } of services) {
      // Copies that must stand on different nodes may have one on each: a further one would wait for ever.
      const isApart = spec.template.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution !== undefined;
      const replaced = isApart ? { maxSurge: 0, maxUnavailable: 1 } : { maxSurge: 1, maxUnavailable: 0 };
      expect([metadata.name, spec.strategy.rollingUpdate]).toEqual([metadata.name, replaced]);
      expect(spec.template.spec.containers[0].readinessProbe.httpGet).toEqual({ path: '/health/ready', port: 'health' });
      // Tables of a new release are filled before its copies are ready.
      expect(spec.progressDeadlineSeconds).toBeGreaterThanOrEqual(3600);
    }
  });

  it('leaves gateways time to say goodbye, and to end what is under way, before they are killed', async () => {
    const gateway = (await render({ values: 'production' })).find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith('-gateway'),
    );
    const { DRAIN_GRACE_MS, DRAIN_TIMEOUT_MS } = variables(gateway as KubernetesObject);
    expect(Number(DRAIN_GRACE_MS)).toBeGreaterThanOrEqual(5000);
    expect(gateway?.['spec'].template.spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(
      Number(DRAIN_GRACE_MS) + Number(DRAIN_TIMEOUT_MS) + 10_000,
    );
  });

  it('takes what one sets for the gateway beside its own settings', async () => {
    const rendered = await render({ values: 'production', set: { 'services.gateway.config.DRAIN_TIMEOUT_MS': 20_000 } });
    const gateway = rendered.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith('-gateway'));
    expect(variables(gateway as KubernetesObject)).toMatchObject({ DRAIN_GRACE_MS: '5000', DRAIN_TIMEOUT_MS: '20000' });
  });

  it('gives streams and consumers a look after each upgrade', async () => {
    const job = (await render({ values: 'production' })).find(({ kind, metadata }) => kind === 'Job' && metadata.name.endsWith('-prepare'));
    expect(job?.metadata.annotations?.['helm.sh/hook']).toContain('upgrade');
  });
});
