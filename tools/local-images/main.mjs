import { debianImages, nodeImage } from './src/base.mjs';
import { meilisearchProgram } from './src/config.mjs';
import { requireEngine } from './src/engine.mjs';
import { meilisearchImage, natsImage, postgresImage } from './src/stand-ins.mjs';

/** Makes all images that are missing or out of date, and prints their names; with `base` only those that need nothing of ours to be built. */
const baseOnly = process.argv[2] === 'base';
await requireEngine();
await debianImages();
await nodeImage();
const optional = meilisearchProgram ? [await meilisearchImage(meilisearchProgram)] : [];
const images = [await natsImage(), await postgresImage(), ...optional];
if (!baseOnly) {
  // What this imports looks at the built packages.
  const { serviceImages } = await import('./src/services.mjs');
  images.push(...(await serviceImages()));
}
for (const name of images) process.stdout.write(`${name}\n`);
