import { manageClient, requestFailure, type ManagePaths, type ManageTypes } from '@continuo/client';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { ApiError } from '../../lib/api.js';
import { base, session } from '../../lib/session.js';

/** Objects of the management API, by name. */
export type Managed = ManageTypes['schemas'];

/** Client of the management API with the session of this page. */
export const manage = manageClient({ url: base, authorization: session.authorization });

interface Answer<D> {
  readonly data?: D | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

/** Returns what the server answered; undefined for an answer without content. @throws ApiError with the server's own sentence */
export const answered = async <D>(answer: Promise<Answer<D>>): Promise<D> => {
  const { data, error, response } = await answer;
  if (response.ok) return data as D;
  if (response.status === 401) session.forget();
  throw new ApiError(requestFailure(error, response), String(response.status));
};

type Items<P> = P extends { get: { responses: { 200: { content: { 'application/json': { items: (infer T)[] } } } } } } ? T : never;
/** Addresses of the management API that answer lists. */
export type ListPath = { [P in keyof ManagePaths]: [Items<ManagePaths[P]>] extends [never] ? never : P }[keyof ManagePaths];
/** Items of a list. */
export type ItemOf<P extends ListPath> = Items<ManagePaths[P]>;

interface ItemPage<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** Values of a path's parameters, and what the list is asked for. */
export interface ListSelection {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
}

const PAGE_ITEMS = 100;

/** A list of the management API, page by page; with `everyMs` it is fetched again and again. */
export const listQuery = <P extends ListPath>(list: P, { path = {}, query = {} }: ListSelection = {}, everyMs?: number) =>
  infiniteQueryOptions({
    refetchInterval: everyMs ?? false,
    queryKey: ['manage', list, path, query],
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }: ItemPage<ItemOf<P>>) => nextCursor ?? undefined,
    queryFn: ({ pageParam }): Promise<ItemPage<ItemOf<P>>> => {
      const params = { path, query: { limit: PAGE_ITEMS, ...query, ...(pageParam === undefined ? {} : { cursor: pageParam }) } };
      // The compiler cannot follow a path that is a parameter; the types of the answer are derived above.
      return answered(manage.GET(list as '/catalogs', { params } as never) as never);
    },
  });
