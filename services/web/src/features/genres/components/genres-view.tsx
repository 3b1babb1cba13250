import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { viewOf } from '../../../lib/address.js';
import { t } from '../../../messages/index.js';
import { Links, QueryState, View } from '../../../ui/view.js';
import { genresQuery } from '../queries.js';

/** All genres. */
export const GenresView = (): ReactNode => {
  const query = useQuery(genresQuery);
  return (
    <View title={t.genres}>
      <QueryState of={query} emptyText={t.emptyLibrary} />
      <Links
        of={query.data?.items.map(({ id, name, albums, songs }) => ({
          to: viewOf('genres', id),
          name,
          note: `${t.albumCount(albums)} · ${t.songCount(songs)}`,
        }))}
      />
    </View>
  );
};
