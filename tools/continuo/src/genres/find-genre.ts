import type { ManageTypes } from '@continuo/client';
import { OperatorError } from '@continuo/operations';
import { orNotFound, type Api } from '../connect/api.js';

/** A genre as the management API shows it. */
export type Genre = ManageTypes['schemas']['Genre'];

/** The genre that a person means: a name in any case and without accents, or a number. @throws OperatorError when there is none, or several. */
export const findGenre = async (api: Api, wanted: string): Promise<Genre> => {
  const all = await api.all((client, cursor) => client.GET('/genres', { params: { query: { name: wanted, ...cursor } } }));
  const exact = all.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  const named = exact.length > 0 ? exact : all;
  const [genre = await byNumber(api, wanted), ...others] = named;
  if (!genre) throw new OperatorError(`there is no genre "${wanted}"`, '"continuo genres list" shows all genres');
  if (others.length > 0)
    throw new OperatorError(`several genres are called "${wanted}"`, `give a number instead: ${named.map(({ id }) => id).join(', ')}`);
  return genre;
};

const byNumber = async (api: Api, wanted: string): Promise<Genre | undefined> => {
  if (!/^\d{1,9}$/.test(wanted)) return undefined;
  const path = { id: Number(wanted) };
  return orNotFound(
    'genre.not-found',
    api.ask((client) => client.GET('/genres/{id}', { params: { path } })),
  );
};
