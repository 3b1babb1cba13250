import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { config } from './config.js';
import { chart, lint, render, valueSets, type KubernetesObject, type Rendering } from './render.js';
import { KubernetesSchemas, releases } from './schemas.js';

const missing = [config.helm === undefined ? 'helm' : [], releases.length === 0 ? 'the schemas of Kubernetes' : []].flat();
if (missing.length > 0) console.warn(`The Helm chart is not tested: ${missing.join(' and ')} not found (HELM_BIN, KUBERNETES_SCHEMAS).`);

const of = (objects: readonly KubernetesObject[], kind: string, name?: string): KubernetesObject[] =>
  objects.filter((object) => object.kind === kind && (name === undefined || object.metadata.name === name));
const one = async (rendering: Rendering, kind: string, name: string): Promise<KubernetesObject> => {
  const [found, ...others] = of(await render(rendering), kind, name);
  if (!found || others.length > 0) throw new Error(`${others.length + (found ? 1 : 0)} of ${kind} ${name}`);
  return found;
};
const podsOf = (objects: readonly KubernetesObject[]): KubernetesObject[] =>
  objects.filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job', 'CronJob'].includes(kind));
const podTemplate = (workload: KubernetesObject) =>
  (workload.kind === 'CronJob' ? workload['spec'].jobTemplate : workload)['spec'].template;
const podSpec = (workload: KubernetesObject) => podTemplate(workload).spec;
const variable = (workload: KubernetesObject, name: string) =>
  podSpec(workload).containers[0].env.find((entry: { name: string }) => entry.name === name);

/** Names that the services' sources give to their metrics. */
const publishedMetrics = async (): Promise<Set<string>> => {
  const files = glob('services/*/src/**/*.ts', { cwd: join(chart, '../..') });
  const names = new Set<string>();
  for await (const file of files)
    for (const [, name = ''] of (await readFile(join(chart, '../..', file), 'utf8')).matchAll(/'(continuo_[a-z_]+)'/g)) names.add(name);
  return names;
};

describe.skipIf(missing.length > 0)('the Helm chart', { timeout: 60_000 }, () => {
  let production: readonly KubernetesObject[];
  beforeAll(async () => {
    production = await render({ values: 'production' });
  });

  // To read and compile the schemas of a release takes longer than to look at a chart.
  const byRelease = releases.map((release) => ({ release, schemas: new KubernetesSchemas(release) }));

  describe.each(valueSets)('with the values "%s"', (values) => {
    let objects: readonly KubernetesObject[];
    beforeAll(async () => {
      objects = await render({ values });
    });

    it('has nothing that lint complains of', async () => expect(await lint({ values })).toEqual([]));

    it.each(byRelease)('is what Kubernetes $release takes', async ({ release, schemas }) => {
      const taken = await render({ values, kubernetes: release.slice(1) });
      expect(
        taken.flatMap((object) => schemas.complaints(object).map((complaint) => `${object.kind} ${object.metadata.name}: ${complaint}`)),
      ).toEqual([]);
      expect(of(taken, 'Deployment')).toHaveLength(7);
    });

    it('names every object once, and says of each whose it is', async () => {
      const { version } = JSON.parse(await readFile(join(chart, '../../package.json'), 'utf8')) as { version: string };
      const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      expect(new Set(names).size).toBe(names.length);
      for (const { metadata } of objects)
        expect(metadata.labels).toMatchObject({ 'app.kubernetes.io/instance': 'music', 'helm.sh/chart': `continuo-${version}` });
    });

    it('lets no container do more than run', () => {
      for (const workload of podsOf(objects)) {
        const { containers, securityContext, automountServiceAccountToken } = podSpec(workload);
        expect(automountServiceAccountToken).toBe(false);
        expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
        for (const { securityContext: own, resources } of containers) {
          expect(own).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
          expect(resources.requests).toMatchObject({ cpu: expect.anything(), memory: expect.anything() });
          expect(resources.limits).toMatchObject({ memory: expect.anything() });
        }
      }
    });

    it('chooses pods that it makes', () => {
      const pods = podsOf(objects).map((workload) => podTemplate(workload).metadata.labels as Record<string, string>);
      const chosen = (labels: Record<string, string>) =>
        pods.filter((pod) => Object.entries(labels).every(([key, value]) => pod[key] === value));
      for (const service of of(objects, 'Service'))
        expect([service.metadata.name, chosen(service['spec'].selector).length > 0]).toEqual([service.metadata.name, true]);
      for (const budget of of(objects, 'PodDisruptionBudget')) expect(chosen(budget['spec'].selector.matchLabels)).toHaveLength(1);
      for (const policy of of(objects, 'NetworkPolicy')) expect(chosen(policy['spec'].podSelector.matchLabels).length).toBeGreaterThan(0);
    });
  });

  it('has an example for each way to run it', () =>
    expect(valueSets).toEqual(['air-gapped', 'external-services', 'minimal', 'no-keda', 'production']));

  it('is looked at with schemas that know what is wrong', async () => {
    const schemas = new KubernetesSchemas('v1.33.0');
    const [deployment, scaled] = ['Deployment', 'ScaledObject'].map((kind) => of(production, kind)[0] as KubernetesObject);
    expect(schemas.complaints({ ...(deployment as KubernetesObject), spek: {} })).not.toEqual([]);
    expect(schemas.complaints({ ...(scaled as KubernetesObject), spec: { triggers: [] } })).not.toEqual([]);
    expect(() => schemas.complaints({ ...(deployment as KubernetesObject), apiVersion: 'apps/v9' })).toThrow(/knows no Deployment/);
  });

  it('shows only metrics that the services have, in dashboards and alerts', async () => {
    const known = await publishedMetrics();
    const asked = [
      ...new Set(
        JSON.stringify(of(production, 'ConfigMap', 'music-continuo-dashboards').concat(of(production, 'PrometheusRule'))).match(
          /continuo_[a-z_]+/g,
        ),
      ),
    ];
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.filter((name) => !known.has(name.replace(/_(bucket|count|sum)$/, '')))).toEqual([]);
  });

  it('refuses values that it does not know, or that cannot be', async () => {
    await expect(render({ set: { 'services.gateway.replica': 2 } })).rejects.toThrow(/replica/);
    await expect(render({ set: { 'nats.replicas': 2 } })).rejects.toThrow(/replicas/);
    await expect(render({ set: { 'postgres.bundled': false, 'nats.bundled': false } })).rejects.toThrow(/nats\.external\.url/);
    await expect(render({ set: { media: [{ name: 'music', mountPath: '/media' }] } })).rejects.toThrow(/existingClaim, nfs or hostPath/);
  });

  it('runs NATS in three copies, each write on the disk, on three nodes', async () => {
    const objects = await render();
    const [file] = of(objects, 'ConfigMap', 'music-continuo-nats');
    expect(file?.['data']['nats.conf']).toContain('sync_interval: always');
    const [nats] = of(objects, 'StatefulSet', 'music-continuo-nats');
    // nats-server replaces whole words alone, so the addresses come with the password in them.
    expect(file?.['data']['nats.conf'].match(/^\s*\$NATS_ROUTE_\d$/gm)).toHaveLength(3);
    expect(variable(nats as KubernetesObject, 'NATS_ROUTE_2').value).toBe(
      'nats://route:$(NATS_PASSWORD)@music-continuo-nats-2.music-continuo-nats-headless:6222',
    );
    expect(nats?.['spec'].replicas).toBe(3);
    expect(podSpec(nats as KubernetesObject).affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution).toHaveLength(1);
    const [settings] = of(objects, 'ConfigMap', 'music-continuo');
    expect(settings?.['data']).toMatchObject({ NATS_REPLICAS: '3', NATS_URL: expect.stringMatching(/nats-0\..*,.*nats-1\..*,.*nats-2\./) });
  });

  it('keeps one copy of the log where there is one server', async () => {
    const settings = await one({ values: 'minimal' }, 'ConfigMap', 'music-continuo');
    expect(settings['data'].NATS_REPLICAS).toBe('1');
  });

  it('takes what stands elsewhere in place of its own', async () => {
    const objects = await render({ values: 'external-services' });
    expect(of(objects, 'StatefulSet')).toEqual([]);
    expect(of(objects, 'Secret')).toEqual([]);
    const [library] = of(objects, 'Deployment', 'music-continuo-library');
    expect(variable(library as KubernetesObject, 'DATABASE_URL').valueFrom.secretKeyRef).toEqual({ name: 'database', key: 'database-url' });
    expect(variable(library as KubernetesObject, 'MEILI_KEY').valueFrom.secretKeyRef).toEqual({
      name: 'search-key',
      key: 'meilisearch-key',
    });
    expect(variable(library as KubernetesObject, 'CONTINUO_SECRET').valueFrom.secretKeyRef.name).toBe('continuo-keys');
    const [job] = of(objects, 'Job');
    expect(job?.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
  });

  it('has no volume that pods share, unless one is wanted', async () => {
    const objects = await render({ values: 'production', set: { media: [] } });
    const claims = podsOf(objects).flatMap((workload) =>
      (podSpec(workload).volumes ?? []).flatMap(({ persistentVolumeClaim }: { persistentVolumeClaim?: { claimName: string } }) =>
        persistentVolumeClaim === undefined ? [] : [persistentVolumeClaim.claimName],
      ),
    );
    // The cache of this set is one of its own choice.
    expect(new Set(claims)).toEqual(new Set(['transcodes', 'music-continuo-backups']));
    expect(of(objects, 'PersistentVolumeClaim').map(({ metadata }) => metadata.name)).toEqual(['music-continuo-backups']);
    expect(of(objects, 'ConfigMap', 'music-continuo')[0]?.['data'].ART_STORAGE).toBe('nats');
    expect(of(await render(), 'PersistentVolumeClaim')).toEqual([]);
    const wanted = await render({ set: { 'data.enabled': true, 'data.existingClaim': 'shared' } });
    const gateway = of(wanted, 'Deployment', 'music-continuo-gateway')[0] as KubernetesObject;
    expect(podSpec(gateway).volumes).toContainEqual({ name: 'data', persistentVolumeClaim: { claimName: 'shared' } });
  });

  it('keeps pictures in S3 storage with a key that only those have who read there', async () => {
    const objects = await render({ values: 'external-services', set: { 'tools.enabled': true, 'backup.enabled': true } });
    const withKey = podsOf(objects)
      .filter((workload) => podSpec(workload).containers[0].env?.some(({ name }: { name: string }) => name === 'S3_SECRET_ACCESS_KEY'))
      .map(({ metadata }) => metadata.name.slice('music-continuo-'.length));
    expect(withKey.toSorted()).toEqual(['backup', 'gateway', 'ingestion', 'sonic', 'tools', 'transcoding']);
  });

  it('refuses a storage of pictures that cannot be', async () => {
    await expect(render({ set: { 'art.storage': 'folder' } })).rejects.toThrow(/data\.enabled/);
    await expect(render({ set: { 'art.storage': 'ftp://host' } })).rejects.toThrow(/storage/);
  });

  it('leaves secrets and data behind when it is uninstalled', async () => {
    const objects = await render({ values: 'minimal', set: { 'backup.enabled': true } });
    expect(of(objects, 'PersistentVolumeClaim')).toHaveLength(2);
    for (const object of [...of(objects, 'Secret'), ...of(objects, 'PersistentVolumeClaim')])
      expect(object.metadata.annotations).toMatchObject({ 'helm.sh/resource-policy': 'keep' });
  });

  it('scales transcoding by the queue with KEDA, by processor time without, and not at all when told so', async () => {
    const keda = await render({ values: 'production' });
    const [scaled] = of(keda, 'ScaledObject');
    expect(scaled?.['spec']).toMatchObject({ scaleTargetRef: { name: 'music-continuo-transcoding' }, maxReplicaCount: 20 });
    expect(scaled?.['spec'].triggers[0]).toMatchObject({
      type: 'nats-jetstream',
      metadata: { stream: 'JOBS_TRANSCODE', natsServerMonitoringEndpoint: 'music-continuo-nats-headless.media.svc.cluster.local:8222' },
    });
    expect(of(keda, 'HorizontalPodAutoscaler').map(({ metadata }) => metadata.name)).toEqual(['music-continuo-gateway']);
    const plain = await render({ values: 'no-keda' });
    expect(of(plain, 'ScaledObject')).toEqual([]);
    expect(of(plain, 'HorizontalPodAutoscaler', 'music-continuo-transcoding')[0]?.['spec'].maxReplicas).toBe(6);
    const off = await render({ values: 'minimal' });
    expect([...of(off, 'ScaledObject'), ...of(off, 'HorizontalPodAutoscaler')]).toEqual([]);
    const replicas = (objects: readonly KubernetesObject[]) =>
      of(objects, 'Deployment', 'music-continuo-transcoding')[0]?.['spec'].replicas;
    // A number here would undo what the scaler does, at every upgrade.
    expect([replicas(keda), replicas(plain), replicas(off)]).toEqual([undefined, undefined, 1]);
  });

  it('mounts media where files are read or sent, and for writing only where that was said, in gateway and ingestion', async () => {
    const objects = await render({ values: 'production' });
    const seen = of(objects, 'Deployment').map((deployment) => [
      deployment.metadata.name.slice('music-continuo-'.length),
      podSpec(deployment)
        .containers[0].volumeMounts.filter(({ name }: { name: string }) => name.startsWith('media-'))
        .map((mount: { mountPath: string; readOnly: boolean }) => `${mount.mountPath} ${mount.readOnly ? 'ro' : 'rw'}`),
    ]);
    expect(Object.fromEntries(seen)).toEqual({
      gateway: ['/media/music ro', '/media/uploads rw'],
      ingestion: ['/media/music ro', '/media/uploads rw'],
      // It looks whether the folder of a new catalog is there.
      library: ['/media/music ro', '/media/uploads ro'],
      playback: [],
      social: [],
      sonic: ['/media/music ro', '/media/uploads ro'],
      transcoding: ['/media/music ro', '/media/uploads ro'],
    });
  });

  it('takes every image from the registry inside, ours by digest where there is one', async () => {
    const images = podsOf(await render({ values: 'air-gapped' })).flatMap((workload) =>
      podSpec(workload).containers.map(({ image }: { image: string }) => image),
    );
    expect(images.filter((image) => !image.startsWith('registry.inside.example:5000/mirror/'))).toEqual([]);
    expect(images.find((image) => image.includes('gateway'))).toMatch(/mirror\/continuo-gateway@sha256:0123/);
    expect(images).toContain('registry.inside.example:5000/mirror/library/nats:2.15.0-alpine');
  });

  it('closes every pod but to those who need it', async () => {
    const objects = await render();
    const peers = (name: string) =>
      of(objects, 'NetworkPolicy', `music-continuo-${name}`)[0]?.['spec'].ingress?.map(
        (rule: { ports: { port: number }[]; from?: { podSelector?: { matchExpressions: { values: string[] }[] } }[] }) => [
          rule.ports[0]?.port,
          rule.from?.[0]?.podSelector?.matchExpressions[0]?.values,
        ],
      );
    const services = ['gateway', 'library', 'playback', 'social', 'ingestion', 'transcoding', 'sonic', 'prepare'];
    expect(peers('deny')).toBeUndefined();
    expect(peers('postgres')).toEqual([[5432, services]]);
    expect(peers('nats')).toEqual([
      [4222, services],
      [6222, ['nats']],
    ]);
    expect(peers('transcoding')).toEqual([[7800, ['gateway']]]);
    expect(peers('meilisearch')).toEqual([[7700, ['gateway', 'library']]]);
    expect(of(await render({ values: 'no-keda' }), 'NetworkPolicy')).toEqual([]);
  });

  it('gives settings to all services or to one, and a new start to all when they change', async () => {
    const before = await render({ values: 'production' });
    const [settings] = of(before, 'ConfigMap', 'music-continuo');
    expect(settings?.['data']).toMatchObject({
      PUBLIC_URL: 'https://music.example.org',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel-collector.monitoring:4318',
    });
    const [gateway] = of(before, 'Deployment', 'music-continuo-gateway');
    expect(variable(gateway as KubernetesObject, 'LIST_CACHE_BYTES').value).toBe('268435456');
    const after = await render({ values: 'production', set: { 'config.LOG_LEVEL': 'debug' } });
    const sum = (objects: readonly KubernetesObject[]) =>
      of(objects, 'Deployment').map((deployment) => deployment['spec'].template.metadata.annotations['checksum/config']);
    expect(sum(after)).not.toEqual(sum(before));
  });
});
