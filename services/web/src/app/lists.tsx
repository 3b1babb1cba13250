import type { ReactNode } from 'react';
import { SongTable } from '../features/songs/index.js';
import { t } from '../messages/index.js';
import { View } from '../ui/view.js';

/** All songs. */
export const SongsView = (): ReactNode => (
  <View title={t.songs} fills>
    <SongTable source={{ kind: 'songs', sort: 'title' }} label={t.songs} />
  </View>
);

/** Songs that somebody has marked. */
export const FavouritesView = (): ReactNode => (
  <View title={t.favourites} fills>
    <SongTable source={{ kind: 'favourites' }} label={t.favourites} />
  </View>
);
