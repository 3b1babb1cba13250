import { api, content } from '../../lib/api.js';

/** All labels by name. */
export const labelsQuery = {
  queryKey: ['labels'],
  queryFn: async () => {
    const { label, total_count: total } = await content(api.GET('/labels', { params: { query: { sort: 'name' } } }));
    return { items: label, total };
  },
};

/** A label and its artists. */
export const labelQuery = (id: string) => ({
  queryKey: ['labels', id],
  queryFn: async () => {
    const path = { label_id: id };
    const [label, { artist: artists }] = await Promise.all([
      content(api.GET('/labels/{label_id}', { params: { path } })),
      content(api.GET('/labels/{label_id}/artists', { params: { path, query: { sort: 'name' } } })),
    ]);
    return { label, artists };
  },
});
