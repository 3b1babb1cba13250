import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { LinkList } from '../../../ui/link-list.js';
import { QueryState } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { genresQuery } from '../queries.js';

/** All genres. */
export const GenresView = (): ReactNode => {
  const query = useQuery(genresQuery);
  return (
    <View title={t.genres}>
      <QueryState of={query} emptyText={t.emptyLibrary} />
      <LinkList>
        {query.data?.items.map(({ id, name, albums, songs }) => (
          <li key={id}>
            <Link to="/genres/$id" params={{ id }}>
              {name}
            </Link>
            <span>
              {t.albumCount(albums)} · {t.songCount(songs)}
            </span>
          </li>
        ))}
      </LinkList>
    </View>
  );
};
