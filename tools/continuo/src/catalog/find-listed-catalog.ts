import type { ManageTypes } from '@continuo/client';
import { counted, meantCatalogs, OperatorError } from '@continuo/operations';
import type { Api } from '../connect/api.js';

/** A catalog as the management API shows it. */
export type Catalog = ManageTypes['schemas']['Catalog'];

/** All catalogs, by number. */
export const allCatalogs = (api: Api): Promise<Catalog[]> =>
  api.all((client, cursor) => client.GET('/catalogs', { params: { query: { limit: 500, ...cursor } } }));

/** Catalogs that a person means: by name in any case, by number, or "all". @throws OperatorError as `meantCatalogs` */
export const listedCatalogs = async (api: Api, wanted: string): Promise<readonly Catalog[]> =>
  meantCatalogs(await allCatalogs(api), wanted);

/** The one catalog that a person means. @throws OperatorError as `meantCatalogs`, and for more than one; `done` is what is done to it, as in "moved" */
export const listedCatalog = async (api: Api, wanted: string, done: string): Promise<Catalog> => {
  const [catalog, ...others] = await listedCatalogs(api, wanted);
  if (catalog === undefined || others.length > 0) throw new OperatorError(`one catalog is ${done} at a time`);
  return catalog;
};

/** Text of a catalog's contents, by its kind of media. */
export const contentsOf = ({ mediaType, songCount, videoCount, podcastCount, episodeCount }: Catalog): string => {
  if (mediaType === 'video') return counted(videoCount, 'video');
  return mediaType === 'podcast' ? `${counted(podcastCount, 'podcast')}, ${counted(episodeCount, 'episode')}` : counted(songCount, 'song');
};
