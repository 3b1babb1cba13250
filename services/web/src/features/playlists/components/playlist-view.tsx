import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { Failure, Notice } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { PlayButtons } from '../../player/index.js';
import { SongTable } from '../../songs/index.js';
import { playlistQuery } from '../queries.js';

/** A playlist with its songs. */
export const PlaylistView = ({ id }: { readonly id: string }): ReactNode => {
  const { data, error, refetch } = useQuery(playlistQuery(id));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Notice>{t.loading}</Notice>;
  const source = { kind: 'playlist', id } as const;
  return (
    <View title={data.name} tools={<PlayButtons source={source} total={typeof data.items === 'number' ? data.items : 0} />} fills>
      <SongTable source={source} label={data.name} />
    </View>
  );
};
