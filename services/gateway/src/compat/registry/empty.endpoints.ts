import { objectTable } from '../../render/object-table.js';
import { objectBody, type Body } from '../documents.js';
import { CompatError } from '../errors.js';
import { fieldsOf } from '../objects/fields.js';
import { flag, optionalText, count } from '../parameters.js';
import { anybody, document, type DocumentEndpoint } from './endpoint.js';

/**
 * Lists of things that this server cannot hold yet: no operation makes one, so that an empty list is the whole truth. Clients ask for these at login.
 */
const noSuchThing = (name: string, item: string): Body<object> => {
  const table = objectTable<never, undefined>(item, []);
  return objectBody(name, objectTable<object, undefined>(name, [fieldsOf<object>().many(item, table, () => [])]));
};

const none = (name: string, item: string, params: Parameters<typeof document>[0]['params'] = {}): DocumentEndpoint =>
  document({ access: anybody, params, body: noSuchThing(name, item), answer: () => ({}) });

/** Operations whose answer is empty because there is nothing that it could hold. */
export const emptyEndpoints = {
  getPodcasts: document({
    access: anybody,
    params: { id: optionalText, includeEpisodes: flag(true) },
    body: noSuchThing('podcasts', 'channel'),
    answer: ({ params }) => {
      if (params.id !== undefined) throw new CompatError(70, 'There is no such podcast');
      return {};
    },
  }),
  getNewestPodcasts: none('newestPodcasts', 'episode', { count: count(20, 500) }),
} as const;
