import { api, content } from '../../lib/api.js';
import { accountQuery } from '../../lib/account.js';
import { reload } from '../../lib/client.js';
import { isThingKind, thing } from '../../lib/things.js';

const SHOWN = '30';

/** Accounts but one's own, and whether one follows them. */
export const peopleQuery = {
  queryKey: ['people'],
  queryFn: async () => {
    const { id: own } = await accountQuery.queryFn();
    const [{ user: all }, { user: followed }] = await Promise.all([
      content(api.GET('/users', { params: { query: { limit: 'none' } } })),
      content(api.GET('/users/{user_id}/following', { params: { path: { user_id: own } } })),
    ]);
    const ids = new Set(followed.map(({ id }) => id));
    return all.flatMap((user) => (user.id === own ? [] : [{ ...user, isFollowed: ids.has(user.id) }]));
  },
};

/** Activities of followed accounts, the newest first. */
export const timelineQuery = {
  queryKey: ['people', 'timeline'],
  queryFn: async () => (await content(api.GET('/me/friends-timeline', { params: { query: { limit: SHOWN } } }))).activity,
};

/** The newest comments of everybody. */
export const commentsQuery = {
  queryKey: ['people', 'comments'],
  queryFn: async () => (await content(api.GET('/me/last-shouts', { params: { query: { filter: '', limit: SHOWN } } }))).shout,
};

/** Follows an account, or does not any more. @throws ApiError */
export const toggleFollow = async (id: string): Promise<void> => {
  await content(api.POST('/users/{user_id}/follow', { params: { path: { user_id: id } } }));
  await reload(peopleQuery.queryKey);
};

const nameOf = async (type: string, id: string): Promise<string> => {
  if (!isThingKind(type)) return `${type} ${id}`;
  const [path, params] = thing(type, id, '');
  const named: { readonly title?: string; readonly name?: string; readonly username?: string } = await content(api.GET(path, { params }));
  return named.title ?? named.name ?? named.username ?? id;
};

/** Name of an object that an activity is about. */
export const namedQuery = (type: string, id: string) => ({
  queryKey: ['name of', type, id],
  queryFn: () => nameOf(type, id),
});
