import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { serviceNames } from '../cluster.js';

const folder = resolve(import.meta.dirname, '../../../../deploy');
const textOf = (name: string): Promise<string> => readFile(resolve(folder, name), 'utf8');
const files = ['compose.yaml', 'compose.s3.yaml'] as const;

interface Service {
  readonly image: string;
  readonly restart?: string;
  readonly profiles?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly mem_limit?: string;
  readonly stop_grace_period?: string;
  readonly logging?: { readonly options: Readonly<Record<string, string>> };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly volumes?: readonly string[];
  readonly build?: { readonly target: string };
}
const servicesOf = async (name: string): Promise<Readonly<Record<string, Service>>> =>
  (parse(await textOf(name), { merge: true }) as { services: Record<string, Service> }).services;

describe('compose', () => {
  it.each(serviceNames)('runs %s without rights, bounded, after what it needs', async (name) => {
    const service = (await servicesOf('compose.yaml'))[name];
    expect(service).toMatchObject({
      restart: 'unless-stopped',
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      logging: { options: { 'max-size': '10m' } },
      depends_on: {
        nats: { condition: 'service_healthy' },
        postgres: { condition: 'service_healthy' },
        prepare: { condition: 'service_completed_successfully' },
      },
      build: { target: name },
    });
    expect([service?.mem_limit, service?.stop_grace_period].every(Boolean)).toBe(true);
  });

  it('gives rights and a disk to write to nobody who does not need them', async () => {
    for (const file of files) {
      for (const [name, service] of Object.entries(await servicesOf(file))) {
        if (!service.image) continue;
        expect([name, service.cap_drop, service.security_opt]).toEqual([name, ['ALL'], ['no-new-privileges:true']]);
        expect([name, Boolean(service.mem_limit), service.logging?.options['max-size']]).toEqual([name, true, '10m']);
      }
    }
  });

  it('mounts media to be written only where MEDIA_MODE says so, and only for those that write', async () => {
    const media = Object.entries(await servicesOf('compose.yaml')).flatMap(([name, { volumes = [] }]) =>
      volumes.filter((volume) => volume.includes(':/media:')).map((volume) => [name, /:\/media:(.*)$/.exec(volume)?.[1]]),
    );
    expect(Object.fromEntries(media)).toEqual({
      gateway: '${MEDIA_MODE:-ro}',
      // It looks whether the folder of a new catalog is there.
      library: 'ro',
      ingestion: '${MEDIA_MODE:-ro}',
      transcoding: 'ro',
      sonic: 'ro',
      tools: 'ro',
    });
  });

  it('lets ingestion alone write downloaded episodes, outside of the data, where no catalog may lie', async () => {
    const podcasts = Object.entries(await servicesOf('compose.yaml')).flatMap(([name, { volumes = [] }]) =>
      volumes.filter((volume) => volume.startsWith('podcasts:')).map((volume) => [name, volume]),
    );
    expect(Object.fromEntries(podcasts)).toEqual({
      gateway: 'podcasts:/podcasts:ro',
      library: 'podcasts:/podcasts:ro',
      ingestion: 'podcasts:/podcasts',
      transcoding: 'podcasts:/podcasts:ro',
      sonic: 'podcasts:/podcasts:ro',
      tools: 'podcasts:/podcasts:ro',
    });
  });

  it('has no password of its own, and refuses to start without one', async () => {
    const text = (await Promise.all(files.map(textOf))).join('\n');
    for (const secret of ['CONTINUO_SECRET', 'POSTGRES_PASSWORD', 'NATS_PASSWORD', 'CONTINUO_ADMIN_PASSWORD'])
      expect([secret, new RegExp(`\\$\\{${secret}:-`).test(text), new RegExp(`\\$\\{${secret}:\\?`).test(text)]).toEqual([
        secret,
        false,
        true,
      ]);
    expect(await textOf('.env.example')).not.toMatch(/^[A-Z_]*(?:SECRET|PASSWORD|KEY)=.+$/m);
  });

  it('takes its settings from one file that names them all', async () => {
    const used = new Set(
      (await Promise.all([...files, 'compose.monitoring.yaml'].map(textOf))).flatMap((text) =>
        [...text.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name),
      ),
    );
    const named = new Set([...(await textOf('.env.example')).matchAll(/^#? ?([A-Z0-9_]+)=/gm)].map(([, name]) => name));
    expect([...used].filter((name) => !named.has(name))).toEqual([]);
    expect([...named].filter((name) => !used.has(name))).toEqual([]);
  });
});
