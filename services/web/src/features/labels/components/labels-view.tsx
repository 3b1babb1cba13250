import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, content, pageOf } from '../../../lib/api.js';
import { viewOf } from '../../../lib/address.js';
import { t } from '../../../messages/index.js';
import { Links, QueryState, useData, View } from '../../../ui/view.js';

/** All labels by name. */
const labelsQuery = {
  queryKey: ['labels'],
  queryFn: async () => pageOf('label', await content(api.GET('/labels', { params: { query: { sort: 'name' } } }))),
};

/** A label and its artists. */
const labelQuery = (id: string) => ({
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

/** All labels. */
export const LabelsView = (): ReactNode => {
  const query = useQuery(labelsQuery);
  return (
    <View title={t.labels}>
      <QueryState of={query} emptyText={t.noLabels} />
      <Links of={query.data?.items.map(({ id, name, artists }) => ({ to: viewOf('labels', id), name, note: t.artistCount(artists) }))} />
    </View>
  );
};

/** A label with its artists. */
export const LabelView = ({ id }: { readonly id: string }): ReactNode => {
  const [data, state] = useData(labelQuery(id));
  if (!data) return state;
  return (
    <View title={data.label.name}>
      <Links
        of={data.artists.map(({ id: artist, name, albumcount }) => ({
          to: viewOf('artists', artist),
          name,
          note: t.albumCount(albumcount),
        }))}
      />
    </View>
  );
};
