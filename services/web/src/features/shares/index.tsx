import { lazyComponent } from '../../ui/lazy-component.js';
import { Share2 } from 'lucide-react';
import { t } from '../../messages/index.js';
import { openDialog } from '../../ui/dialogs.js';
import type { ListAction, SongAction } from '../songs/index.js';

const ShareDialog = lazyComponent(() => import('./components/share-dialog.js'), 'ShareDialog');

/** Opens the terms on which a song is shared. */
export const shareSong: SongAction = {
  name: t.share,
  icon: Share2,
  isFor: (_, count) => count === 1,
  run: ({ songs: [song] }) => song && openDialog(<ShareDialog target={{ kind: 'song', id: song.id, name: song.title }} />),
};

/** Opens the terms on which an album, an artist or a playlist is shared. */
export const shareList: ListAction = {
  name: t.share,
  icon: Share2,
  isFor: ({ kind }) => kind === 'album' || kind === 'artist' || kind === 'playlist',
  run: ({ source, name }) => {
    if (source.kind === 'album' || source.kind === 'artist' || source.kind === 'playlist')
      openDialog(<ShareDialog target={{ kind: source.kind, id: source.id, name }} />);
  },
};

export const SharesView = lazyComponent(() => import('./components/shares-view.js'), 'SharesView');
