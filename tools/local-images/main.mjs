import { baseImage } from './src/base.mjs';
import { requireEngine } from './src/engine.mjs';
import { serviceImages } from './src/services.mjs';
import { natsImage, postgresImage } from './src/stand-ins.mjs';

/** Makes all images that are missing or out of date, and prints their names. */
await requireEngine();
const base = await baseImage();
const images = [base, await natsImage(base), await postgresImage(base), ...(await serviceImages(base))];
for (const name of images) process.stdout.write(`${name}\n`);
