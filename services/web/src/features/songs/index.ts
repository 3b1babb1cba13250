import { lazyRouteComponent } from '@tanstack/react-router';

export { bound, useSongActions } from './actions.js';
export { OtherActions, type ChosenSongs, type ListAction, type SongAction } from './song-action.js';

export const SongTable = lazyRouteComponent(() => import('./components/song-table.js'), 'SongTable');
export const OpenListMenu = lazyRouteComponent(() => import('./components/list-menu.js'), 'OpenListMenu');
export const ListMenu = lazyRouteComponent(() => import('./components/list-menu.js'), 'ListMenu');
