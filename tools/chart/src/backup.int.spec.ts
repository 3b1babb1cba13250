import { describe, expect, it } from 'vitest';
import { config } from './config.js';
import { render, type KubernetesObject, type Rendering } from './render.js';

if (config.helm === undefined) console.warn('Backups of the Helm chart are not tested: helm not found (HELM_BIN).');

const named = async (rendering: Rendering, kind: string, name: string): Promise<KubernetesObject | undefined> =>
  (await render(rendering)).find((object) => object.kind === kind && object.metadata.name === name);

const cronJob = async (set: Rendering['set'] = {}): Promise<KubernetesObject | undefined> =>
  named({ set: { 'backup.enabled': true, ...set } }, 'CronJob', 'music-continuo-backup');
const podOf = (job: KubernetesObject | undefined) => job?.['spec'].jobTemplate.spec.template.spec;

describe.skipIf(config.helm === undefined)('backups of the Helm chart', { timeout: 60_000 }, () => {
  it('are taken when they are wanted', async () => {
    expect(await named({}, 'CronJob', 'music-continuo-backup')).toBeUndefined();
    expect(await named({}, 'PersistentVolumeClaim', 'music-continuo-backups')).toBeUndefined();
    const job = await cronJob({ 'backup.schedule': '5 4 * * *', 'backup.timeZone': 'Europe/Vienna', 'backup.keep': 30 });
    expect(job?.['spec']).toMatchObject({ schedule: '5 4 * * *', timeZone: 'Europe/Vienna', concurrencyPolicy: 'Forbid', suspend: false });
    expect(podOf(job).containers[0].args).toEqual(['backup', '--into', '/backups', '--keep', '30']);
  });

  it('know the servers and the secret, and write nowhere but to their claim', async () => {
    const { containers, volumes } = podOf(await cronJob());
    const [{ env, volumeMounts }] = containers;
    expect(env.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['CONTINUO_SECRET', 'DATABASE_URL', 'NATS_URL', 'NATS_USER', 'NATS_PASSWORD', 'ART_STORAGE']),
    );
    expect(volumeMounts.map(({ name }: { name: string }) => name)).toEqual(['tmp', 'backups']);
    expect(volumes).toEqual([
      { name: 'tmp', emptyDir: {} },
      { name: 'backups', persistentVolumeClaim: { claimName: 'music-continuo-backups' } },
    ]);
  });

  it('see pictures that lie on a claim, and those in S3 storage with its key', async () => {
    const { containers, volumes } = podOf(await cronJob({ 'art.storage': 'folder', 'data.enabled': true }));
    expect(containers[0].volumeMounts).toContainEqual({ name: 'data', mountPath: '/data', readOnly: true });
    expect(volumes).toContainEqual({ name: 'data', persistentVolumeClaim: { claimName: 'music-continuo-data' } });
    const [{ env }] = podOf(await cronJob({ 'art.storage': 's3://covers', 's3.existingSecret': 'objects' })).containers;
    expect(env).toContainEqual({ name: 'ART_STORAGE', value: 's3://covers' });
    expect(env).toContainEqual({
      name: 'S3_SECRET_ACCESS_KEY',
      valueFrom: { secretKeyRef: { name: 'objects', key: 'secret-access-key' } },
    });
  });

  it('lie on a claim that outlasts the release, or on one that is there', async () => {
    const claim = await named(
      { set: { 'backup.enabled': true, 'backup.size': '1Ti', 'backup.storageClass': 'cold' } },
      'PersistentVolumeClaim',
      'music-continuo-backups',
    );
    expect(claim).toMatchObject({
      metadata: { annotations: { 'helm.sh/resource-policy': 'keep' } },
      spec: { storageClassName: 'cold', resources: { requests: { storage: '1Ti' } } },
    });
    const set = { 'backup.enabled': true, 'backup.existingClaim': 'tapes' };
    expect(await named({ set }, 'PersistentVolumeClaim', 'music-continuo-backups')).toBeUndefined();
    expect(podOf(await cronJob(set)).volumes).toContainEqual({ name: 'backups', persistentVolumeClaim: { claimName: 'tapes' } });
  });

  it('have a claim that somebody asks for at once, so that Helm does not wait for it in vain', async () => {
    const asking = async (set: Rendering['set']): Promise<KubernetesObject | undefined> =>
      (await render({ set: { 'backup.enabled': true, ...set } })).find(
        ({ kind, metadata }) => kind === 'Job' && /^music-continuo-backup-[0-9a-f]{8}$/.test(metadata.name),
      );
    const job = await asking({});
    expect(job?.['spec'].template.spec.volumes).toEqual([
      { name: 'backups', persistentVolumeClaim: { claimName: 'music-continuo-backups' } },
    ]);
    // A job cannot be changed.
    expect((await asking({}))?.metadata.name).toBe(job?.metadata.name);
    expect((await asking({ 'image.tag': 'other' }))?.metadata.name).not.toBe(job?.metadata.name);
  });

  it('may reach Postgres and NATS where network policies are on', async () => {
    const set = { 'backup.enabled': true, 'networkPolicy.enabled': true };
    for (const name of ['music-continuo-nats', 'music-continuo-postgres'])
      expect(JSON.stringify((await named({ set }, 'NetworkPolicy', name))?.['spec'].ingress)).toContain('"backup"');
  });

  it('are taken by gateways, too, where all of them can mount the claim', async () => {
    const gateway = async (set: Rendering['set']) =>
      (await named({ set: { 'backup.enabled': true, ...set } }, 'Deployment', 'music-continuo-gateway'))?.['spec'].template.spec;
    const shared = { 'backup.overHttp': true, 'backup.accessModes[0]': 'ReadWriteMany' };
    const { containers, volumes } = await gateway(shared);
    expect(containers[0].env).toContainEqual({ name: 'BACKUP_FOLDER', value: '/backups' });
    expect(containers[0].volumeMounts).toContainEqual({ name: 'backups', mountPath: '/backups' });
    expect(volumes).toContainEqual({ name: 'backups', persistentVolumeClaim: { claimName: 'music-continuo-backups' } });
    expect((await gateway({ 'backup.overHttp': true, 'backup.existingClaim': 'tapes' })).volumes).toContainEqual({
      name: 'backups',
      persistentVolumeClaim: { claimName: 'tapes' },
    });
    expect(JSON.stringify(await gateway({}))).not.toContain('backups');
    const library = await named({ set: { 'backup.enabled': true, ...shared } }, 'Deployment', 'music-continuo-library');
    expect(JSON.stringify(library)).not.toContain('backups');
    await expect(gateway({ 'backup.overHttp': true })).rejects.toThrow(/ReadWriteMany/);
    await expect(gateway({ ...shared, 'backup.enabled': false })).rejects.toThrow(/backup\.enabled/);
  });

  it('are refused with values that cannot be', async () => {
    await expect(cronJob({ 'backup.keep': 0 })).rejects.toThrow(/keep/);
    await expect(cronJob({ 'backup.schedule': 'daily' })).rejects.toThrow(/schedule/);
  });
});
