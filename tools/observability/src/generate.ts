import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { generatedFiles, projectFolder } from './files.js';

for (const [path, text] of generatedFiles()) {
  const file = join(projectFolder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
