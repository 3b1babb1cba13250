import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kubectl } from './cluster.mjs';
import { fromScratch, importImages } from './containers.mjs';
import { inState } from './paths.mjs';
import { buildPrograms, moduleFolder } from './programs.mjs';

const IMAGES = { 'ghcr.io/kedacore/keda': 'operator', 'ghcr.io/kedacore/keda-metrics-apiserver': 'adapter' };
/** Names of the programs in the published images. */
const PROGRAMS = { operator: 'keda', adapter: 'keda-adapter' };

/** KEDA as its own manifests have it, with images of programs that were built here. */
export const installKeda = async () => {
  await buildPrograms(['keda']);
  const made = [];
  for (const program of Object.values(IMAGES))
    made.push(await fromScratch(`continuo.local/${PROGRAMS[program]}:1`, program, PROGRAMS[program]));
  await importImages(made);
  const folder = inState('keda');
  mkdirSync(folder, { recursive: true });
  cpSync(join(await moduleFolder('keda'), 'config'), join(folder, 'config'), { recursive: true });
  writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(overlay()));
  await kubectl('apply', '--server-side', '--kustomize', folder);
  await kubectl('--namespace', 'keda', 'rollout', 'status', 'deployment', '--timeout=300s');
  await kubectl('wait', '--for=condition=Available', 'apiservice/v1beta1.external.metrics.k8s.io', '--timeout=300s');
};

const overlay = () => ({
  apiVersion: 'kustomize.config.k8s.io/v1beta1',
  kind: 'Kustomization',
  resources: ['config/minimal'],
  images: Object.entries(IMAGES).map(([name, program]) => ({ name, newName: `continuo.local/${PROGRAMS[program]}`, newTag: '1' })),
  patches: [
    {
      target: { kind: 'Deployment' },
      patch: JSON.stringify([{ op: 'replace', path: '/spec/template/spec/containers/0/imagePullPolicy', value: 'Never' }]),
    },
  ],
});
