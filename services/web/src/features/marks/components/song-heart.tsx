import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, content, type Song } from '../../../lib/api.js';
import { Heart } from './heart.js';

/** Heart of a song that does not come from a list that is shown, such as the one that plays: its marks are followed here. */
export const SongHeart = ({ song }: { readonly song: Song }): ReactNode => {
  const { data = song } = useQuery({
    queryKey: ['song', song.id],
    queryFn: () => content(api.GET('/songs/{song_id}', { params: { path: { song_id: song.id } } })),
  });
  return <Heart kind="song" object={data} name={song.title} />;
};
