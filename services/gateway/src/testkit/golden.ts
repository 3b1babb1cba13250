import { fileURLToPath } from 'node:url';

const root = new URL('../../../../contracts/golden/', import.meta.url);

/** Path of a golden file, for `toMatchFileSnapshot`: compared byte for byte, written anew by `vitest -u`. */
export const goldenPath = (path: string): string => fileURLToPath(new URL(path, root));
