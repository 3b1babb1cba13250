import { lazyComponent } from '../../ui/lazy-component.js';
import { Boxes } from 'lucide-react';
import { t } from '../../messages/index.js';
import { openDialog } from '../../ui/dialogs.js';
import type { ListAction, SongAction } from '../songs/index.js';

const CollectDialog = lazyComponent(() => import('./components/collect-dialog.js'), 'CollectDialog');

/** Opens the choice of a collection for a song. */
export const collectSong: SongAction = {
  name: t.addToCollection,
  icon: Boxes,
  isFor: (_, count) => count === 1,
  run: ({ songs: [song] }) => song && openDialog(<CollectDialog thing={{ kind: 'song', id: song.id }} name={song.title} />),
};

/** Opens the choice of a collection for an album, an artist or a playlist. */
export const collectList: ListAction = {
  name: t.addToCollection,
  icon: Boxes,
  isFor: ({ kind }) => kind === 'album' || kind === 'artist' || kind === 'playlist',
  run: ({ source, name }) => {
    if (source.kind === 'album' || source.kind === 'artist' || source.kind === 'playlist')
      openDialog(<CollectDialog thing={{ kind: source.kind, id: source.id }} name={name} />);
  },
};

export const CollectionsView = lazyComponent(() => import('./components/collections-view.js'), 'CollectionsView');
export const CollectionView = lazyComponent(() => import('./components/collection-view.js'), 'CollectionView');
