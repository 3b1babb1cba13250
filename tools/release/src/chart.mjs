import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';

/** Packs the chart as Helm does, with a version in it, the same bytes for the same files. Answers the path. */
export function packChart({ source, scratch, out, version, epoch }) {
  const folder = join(scratch, 'continuo');
  cpSync(source, folder, { recursive: true });
  // Sets of values for tests.
  rmSync(join(folder, 'ci'), { recursive: true, force: true });
  const described = join(folder, 'Chart.yaml');
  writeFileSync(described, versioned(readFileSync(described, 'utf8'), version));
  const file = join(out, `continuo-chart-${version}.tgz`);
  const same = ['--sort=name', `--mtime=@${epoch}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
  run('tar', ['--create', '--gzip', ...same, '--file', file, '--directory', scratch, 'continuo'], { env: { GZIP: '-n' } });
  return file;
}

/** A chart's description with another version of the chart and of what it installs. */
export const versioned = (text, version) => text.replace(/^(version|appVersion): .*$/gm, `$1: ${version}`);

/** Writes a packed chart as an OCI layout, as registries keep charts: `skopeo copy oci:<folder> docker://…` sends it to one. */
export function layOut({ archive, folder, version, description, created }) {
  mkdirSync(join(folder, 'blobs/sha256'), { recursive: true });
  const add = (bytes, mediaType) => {
    const digest = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(join(folder, 'blobs/sha256', digest), bytes);
    return { mediaType, digest: `sha256:${digest}`, size: bytes.length };
  };
  const json = (content) => Buffer.from(JSON.stringify(content));
  const config = json({ name: 'continuo', version, appVersion: version, apiVersion: 'v2', type: 'application', description });
  const manifest = {
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: add(config, 'application/vnd.cncf.helm.config.v1+json'),
    layers: [add(readFileSync(archive), 'application/vnd.cncf.helm.chart.content.v1.tar+gzip')],
    annotations: {
      'org.opencontainers.image.title': 'continuo',
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.created': created,
    },
  };
  const annotations = { 'org.opencontainers.image.ref.name': version };
  const index = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: [{ ...add(json(manifest), MANIFEST), annotations }],
  };
  writeFileSync(join(folder, 'index.json'), JSON.stringify(index));
  writeFileSync(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
}
