import { api, content, type Schemas } from './api.js';

export type Catalog = Schemas['Catalog'];

/** Enabled catalogs for a kind of media. */
export const catalogsQuery = (gathers: 'music' | 'podcast') => ({
  queryKey: ['catalogs', gathers],
  queryFn: async (): Promise<readonly Catalog[]> => {
    const { catalog } = await content(api.GET('/catalogs', { params: { query: { filter: gathers } } }));
    return catalog.filter(({ enabled }) => enabled);
  },
});
