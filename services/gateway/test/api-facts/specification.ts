import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The specification lies beside the repository and is not part of it.
const folder = fileURLToPath(new URL('../../../../../shared/spec/', import.meta.url));

/** Whether the specification is at hand; suites that compare with it are skipped without it. */
export const hasSpecification = existsSync(folder);

/** Returns the path of a file or folder of the specification. */
export const specificationPath = (path: string): string => `${folder}${path}`;

/** A file of the specification, by its path inside it. */
export const specificationFile = (path: string): string => readFileSync(`${folder}${path}`, 'utf8');
