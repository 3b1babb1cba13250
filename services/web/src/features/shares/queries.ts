import { api, content, type Share } from '../../lib/api.js';
import { reload } from '../../lib/client.js';
import { thing } from '../../lib/things.js';
import type { NamedThing } from '../songs/index.js';

/** Terms of a share. */
export interface ShareTerms {
  readonly description: string;
  /** Days from its beginning until it ends; 0 for never. */
  readonly days: number;
}

const DAY_S = 86_400;

/** When a share ends; undefined for never. */
export const endOf = ({ creation_date: madeAtS, expire_days: days }: Pick<Share, 'creation_date' | 'expire_days'>): Date | undefined =>
  days > 0 ? new Date((madeAtS + days * DAY_S) * 1000) : undefined;

/** Shares that may be changed, the newest first. */
export const sharesQuery = {
  queryKey: ['shares'],
  queryFn: async (): Promise<readonly Share[]> => {
    const { share } = await content(api.GET('/shares', { params: { query: { limit: 'none' } } }));
    return share.toSorted((one, other) => other.creation_date - one.creation_date);
  },
};

/** Shares an object by an address that anybody may open. @throws ApiError, such as where sharing is turned off */
export const createShare = async ({ kind, id }: NamedThing, { description, days }: ShareTerms): Promise<Share> => {
  const [path, params] = thing(kind, id, '/share');
  const made = await content(api.POST(path, { params, body: { description, expires: String(days) } }));
  await reload(sharesQuery.queryKey);
  return made;
};

/** Changes the terms of a share. @throws ApiError */
export const changeShare = async (id: string, { description, days }: ShareTerms): Promise<void> => {
  const body = { description, expires: String(days) };
  await content(api.PATCH('/shares/{share_id}', { params: { path: { share_id: id } }, body }));
  await reload(sharesQuery.queryKey);
};

/** Ends a share: its address opens nothing any more. @throws ApiError */
export const deleteShare = async (id: string): Promise<void> => {
  await content(api.DELETE('/shares/{share_id}', { params: { path: { share_id: id } } }));
  await reload(sharesQuery.queryKey);
};
