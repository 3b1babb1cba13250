import { debianImages, nodeImage } from './src/base.mjs';
import { meilisearchProgram } from './src/config.mjs';
import { requireEngine } from './src/engine.mjs';
import { serviceImages } from './src/services.mjs';
import { meilisearchImage, natsImage, postgresImage } from './src/stand-ins.mjs';

/** Makes all images that are missing or out of date, and prints their names. */
await requireEngine();
await debianImages();
await nodeImage();
const optional = meilisearchProgram ? [await meilisearchImage(meilisearchProgram)] : [];
const images = [await natsImage(), await postgresImage(), ...optional, ...(await serviceImages())];
for (const name of images) process.stdout.write(`${name}\n`);
