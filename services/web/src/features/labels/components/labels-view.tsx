import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { LinkList } from '../../../ui/link-list.js';
import { Failure, Notice, QueryState } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { labelQuery, labelsQuery } from '../queries.js';

/** All labels. */
export const LabelsView = (): ReactNode => {
  const query = useQuery(labelsQuery);
  return (
    <View title={t.labels}>
      <QueryState of={query} emptyText={t.noLabels} />
      <LinkList>
        {query.data?.items.map(({ id, name, artists }) => (
          <li key={id}>
            <Link to="/labels/$id" params={{ id }}>
              {name}
            </Link>
            <span>{t.artistCount(artists)}</span>
          </li>
        ))}
      </LinkList>
    </View>
  );
};

/** A label with its artists. */
export const LabelView = ({ id }: { readonly id: string }): ReactNode => {
  const { data, error, refetch } = useQuery(labelQuery(id));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Notice>{t.loading}</Notice>;
  return (
    <View title={data.label.name}>
      <LinkList>
        {data.artists.map((artist) => (
          <li key={artist.id}>
            <Link to="/artists/$id" params={{ id: artist.id }}>
              {artist.name}
            </Link>
            <span>{t.albumCount(artist.albumcount)}</span>
          </li>
        ))}
      </LinkList>
    </View>
  );
};
