import { readFileSync } from 'node:fs';

interface Document {
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly operationId: string; readonly parameters?: readonly { readonly name: string }[] } }>
  >;
}

/** From `src` as from `dist`. */
const FILE = new URL('../../../../../contracts/openapi/manage.json', import.meta.url);
const { paths } = JSON.parse(readFileSync(FILE, 'utf8')) as Document;

/** Lists of the management API that are paged and need nothing but an administrator. */
export const managedLists: readonly { readonly name: string; readonly path: string }[] = Object.entries(paths).flatMap(([path, { get }]) =>
  get && !path.includes('{') && get.parameters?.some(({ name }) => name === 'limit') ? [{ name: get.operationId, path }] : [],
);
