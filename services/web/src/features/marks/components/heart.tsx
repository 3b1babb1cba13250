import { Heart as HeartIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../../messages/index.js';
import { IconButton } from '../../../ui/buttons.js';
import { api, content, type Song } from '../../../lib/api.js';
import type { Marked, MarkedKind } from '../marked.js';
import { setFavourite } from '../marking.js';

/** Makes an object a favourite, or takes that back. */
export const Heart = ({
  kind,
  object,
  name,
  isInTabOrder = true,
}: {
  readonly kind: MarkedKind;
  readonly object: Marked;
  readonly name: string;
  readonly isInTabOrder?: boolean;
}): ReactNode => (
  <IconButton
    icon={HeartIcon}
    label={t.favourite(name)}
    isOn={object.flag}
    isFilled={object.flag}
    isInTabOrder={isInTabOrder}
    onPress={() => void setFavourite(kind, [object.id], !object.flag)}
  />
);

/** Heart of a song that does not come from a list that is shown, such as the one that plays: its marks are followed here. */
export const SongHeart = ({ song }: { readonly song: Song }): ReactNode => {
  const { data = song } = useQuery({
    queryKey: ['song', song.id],
    queryFn: () => content(api.GET('/songs/{song_id}', { params: { path: { song_id: song.id } } })),
  });
  return <Heart kind="song" object={data} name={song.title} />;
};
