import type { ManageTypes } from '@continuo/client';
import { meantCatalogs } from '@continuo/operations';
import type { Api } from '../connect/api.js';

/** A catalog as the management API shows it. */
export type Catalog = ManageTypes['schemas']['Catalog'];

/** All catalogs, by number. */
export const allCatalogs = (api: Api): Promise<Catalog[]> =>
  api.all((client, cursor) => client.GET('/catalogs', { params: { query: { limit: 500, ...cursor } } }));

/** Catalogs that a person means: by name in any case, by number, or "all". @throws OperatorError as `meantCatalogs` */
export const listedCatalogs = async (api: Api, wanted: string): Promise<readonly Catalog[]> =>
  meantCatalogs(await allCatalogs(api), wanted);
