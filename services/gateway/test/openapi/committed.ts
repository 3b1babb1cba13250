import { fileURLToPath } from 'node:url';

/** Path of a committed document. */
export const documentPath = (name: string): string => fileURLToPath(new URL(`../../../../contracts/openapi/${name}.json`, import.meta.url));
