import { lazyComponent } from '../../ui/lazy-component.js';

export { bound, useSongActions } from './actions.js';
export { OtherActions, type ChosenSongs, type ListAction, type SongAction } from './song-action.js';

export const SongTable = lazyComponent(() => import('./components/song-table.js'), 'SongTable');
export const OpenListMenu = lazyComponent(() => import('./components/list-menu.js'), 'OpenListMenu');
export const ListMenu = lazyComponent(() => import('./components/list-menu.js'), 'ListMenu');
