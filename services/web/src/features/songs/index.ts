import { lazyComponent } from '../../ui/lazy-component.js';

export { bound, useSongActions } from './actions.js';
export { OtherActions, onThing, type ListAction, type NamedThing, type SongAction } from './song-action.js';

export const OpenListMenu = lazyComponent(() => import('./components/list-menu.js'), 'OpenListMenu');
